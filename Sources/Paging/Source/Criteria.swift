public import WireJSON

/// Which of a source's items are requested: a query and filters. Each message about some of a source's items contains
/// the criteria.
public struct Criteria: Record, Hashable, Sendable {
  /// The query; nil for everything. An empty text becomes nil.
  public let query: String?
  /// The filters and the order; nil for none.
  public let filters: Filters?

  /// Creates criteria. Without arguments, they match everything.
  public init(query: String? = nil, filters: Filters? = nil) {
    self.query = query.flatMap { $0.isEmpty ? nil : $0 }
    self.filters = filters
  }

  /// The fields on the wire.
  public static let fields = Fields(
    Criteria.init,
    Field(nullable: "query", \.query, "The query; null if every item matches."),
    Field(
      "filters", \.filters,
      "The filters and the sorting, if there are any. `sort` names a field; a leading - means descending order.")
  )

  /// Whether two criteria are equal: queries byte by byte, filters by their meaning.
  public static func == (left: Criteria, right: Criteria) -> Bool {
    left.query.map { WireText($0) } == right.query.map { WireText($0) } && left.filters == right.filters
  }

  /// Hashes equal criteria alike. Fields may be in any order, and a number may be spelled in several ways.
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

/// The values that items are filtered by, with their names. The name `sort` is reserved for the order.
///
/// The source decides what a value means. The sources of this project accept a value that a field must equal, an array
/// of such values, or a range `{"from","to"}`.
public struct Filters: JSONValue, Equatable, Sendable {
  /// The JSON object that contains the values.
  public let json: RawJSON

  /// The longest JSON of one value, in bytes. The limit keeps comparisons with items fast.
  package static let mostBytes = 4096

  /// Creates filters from the values that aren't null; nil if there are none. Each name must occur once.
  public init?(_ values: some Sequence<(name: String, value: RawJSON)>) {
    json = RawJSON(members: values.filter { !$0.value.isNull })
    if json == .emptyObject { return nil }
  }

  init(object: RawJSON) { json = object }

  /// Whether one of the values is an empty array, which no item matches.
  package var matchNothing: Bool { json.members.contains { $0.value.isEmptyArray } }

  /// Reads an object.
  public init(json: RawJSON) throws(DecodingFailure) {
    guard json.kind == .object else { throw DecodingFailure(expected: "an object", in: json) }
    self.json = json
  }

  /// Writes the object.
  public func write(to writer: inout JSONWriter) { json.write(to: &writer) }

  /// An object whose values may be anything.
  public static var schema: JSONSchema {
    var schema = JSONSchema(type: .object)
    schema.additionalProperties = JSONSchema()
    return schema
  }

  /// Whether two filters are equal: numbers by value, strings byte by byte, fields in any order.
  public static func == (left: Filters, right: Filters) -> Bool { left.json.isEquivalent(to: right.json) }
}

extension RawJSON {
  /// Creates an object from its fields.
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
