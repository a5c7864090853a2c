public import WireJSON

/// What a source is asked for: which of its items, whatever the page. It is a part of each message that is about some of
/// a source's items.
public struct Criteria: Record, Hashable, Sendable {
  /// What to look for; nil for everything, also where an empty text is asked for.
  public let query: String?
  /// What the items are filtered and sorted by; nil where nothing is.
  public let filters: Filters?

  /// Asks for some of a source's items; everything without a query and filters.
  public init(query: String? = nil, filters: Filters? = nil) {
    self.query = query.flatMap { $0.isEmpty ? nil : $0 }
    self.filters = filters
  }

  /// Its members on the wire.
  public static let fields = Fields(
    Criteria.init,
    Field(nullable: "query", \.query, "The query; null if every item matches."),
    Field(
      "filters", \.filters,
      "The filters and the sorting, if there are any. `sort` names a field; a leading - means descending order.")
  )

  /// Whether two ask for the same: the query by its bytes, the filters by what they mean.
  public static func == (left: Criteria, right: Criteria) -> Bool {
    left.query.map { WireText($0) } == right.query.map { WireText($0) } && left.filters == right.filters
  }

  /// Hashes what is equal alike: members stand in any order, and numbers are spelled in many ways.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(query.map { WireText($0) })
    hasher.combine(
      (filters?.json ?? .emptyObject).members.reduce(0) { sum, member in
        var one = Hasher()
        one.combine(WireText(member.key.string))
        one.combine(member.value.string.map { WireText($0) })
        if member.value.kind == .number { one.combine(Double(member.value.text)) }
        return sum &+ one.finalize()
      })
  }
}

/// Values by names, which items are filtered by. The name `sort` is for the order.
///
/// What a value means is for the source to say. Those of this project take a value that a member is equal to, a list of
/// such values, and a range, `{"from","to"}`.
public struct Filters: JSONValue, Equatable, Sendable {
  /// The object of the values.
  public let json: RawJSON

  /// How many bytes of JSON a value may have, so that no item takes long to be compared with it.
  package static let mostBytes = 4096

  /// Filters by what isn't null; nil if that is nothing. Each name stands once.
  public init?(_ values: some Sequence<(name: String, value: RawJSON)>) {
    json = RawJSON(members: values.filter { !$0.value.isNull })
    if json == .emptyObject { return nil }
  }

  init(object: RawJSON) { json = object }

  /// Whether one of them is one of none: an empty list.
  package var matchNothing: Bool { json.members.contains { $0.value.isEmptyArray } }

  /// Reads an object.
  public init(json: RawJSON) throws(DecodingFailure) {
    guard json.kind == .object else { throw DecodingFailure(expected: "an object", in: json) }
    self.json = json
  }

  /// Writes the object.
  public func write(to writer: inout JSONWriter) { json.write(to: &writer) }

  /// An object of whatever values.
  public static var schema: JSONSchema {
    var schema = JSONSchema(type: .object)
    schema.additionalProperties = JSONSchema()
    return schema
  }

  /// Whether two mean the same: numbers by value, texts by their bytes, members in any order.
  public static func == (left: Filters, right: Filters) -> Bool { left.json.isEquivalent(to: right.json) }
}

extension RawJSON {
  /// An object.
  package init(members: some Sequence<(name: String, value: RawJSON)>) {
    var writer = JSONWriter()
    writer.beginObject()
    for (name, value) in members {
      writer.key(name)
      value.write(to: &writer)
    }
    writer.endObject()
    self.init(trusting: writer.bytes)
  }
}
