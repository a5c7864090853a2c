public import Flow
public import WireJSON

/// What a list is filtered and sorted by: a value under each name, which whoever looks at the list may replace. What `sort`
/// names is the order.
///
/// ```swift
/// struct State { var filters: FilterValues = ["state": "open", "label": nil, "sort": "-updated"] }
/// // …
/// state.on(input.filter) { try $0.filters.set($1) }   // let filter = Port<FilterChange>()
/// let list = PagedList(of: issues, following: state.filters).feedback(on: clock)
/// return Output(items: list.items, filters: state.filters)
/// ```
/// What a value means is for the source to say: see ``Filters``.
public struct FilterValues: Sendable {
  private let names: [String]
  private var first: [RawJSON]
  private var own: [RawJSON?]

  /// The values that names have at first, in their order; null for none. Each name stands once.
  public init(_ values: some Sequence<(name: String, value: RawJSON)>) {
    names = values.map(\.name)
    first = values.map(\.value)
    own = names.map { _ in nil }
  }

  private var values: some Sequence<(name: String, value: RawJSON)> {
    names.indices.lazy.map { (name: names[$0], value: own[$0] ?? first[$0]) }
  }

  /// What a source is asked by; nil where nothing is filtered.
  public var asked: Filters? { Filters(values) }

  /// Gives names that are mentioned other values; null gives them those that they had at first.
  ///
  /// - Throws: a refusal of a name that there isn't, or of a value that is too long.
  public mutating func set(_ change: FilterChange) throws(Refusal) {
    for (name, value) in change.set.json.members {
      guard let position = names.firstIndex(where: { WireText($0) == name }) else {
        let known = names.map { "\"\($0)\"" }.joined(separator: ", ")
        throw Refusal("set.\(name.string)", mustBe: "a filter of this screen: \(known)", not: value)
      }
      guard value.text.utf8.count <= Filters.mostBytes else {
        throw Refusal("set.\(name.string)", mustBe: "a value of at most \(Filters.mostBytes) bytes", not: value)
      }
      own[position] = value.isNull ? nil : RawJSON(copying: value)
    }
  }

  /// What the name at a position has at first is another value.
  package mutating func setFirst(_ position: Int, _ value: RawJSON) { first[position] = value }
}

extension FilterValues: ExpressibleByDictionaryLiteral {
  /// Values of any type under their names, each once.
  public init(dictionaryLiteral values: (String, (any Encodable)?)...) {
    self.init(values.map(named))
  }
}

extension FilterValues: JSONEncodable, JSONSchemaProviding, Equatable {
  /// The object of the values, null under the names that have none.
  public var json: RawJSON { RawJSON(members: values) }

  /// Writes the object.
  public func write(to writer: inout JSONWriter) { json.write(to: &writer) }

  /// An object of whatever values.
  public static var schema: JSONSchema { Filters.schema }

  /// Whether two are written alike, so that nobody has to be told of the other. What they are asked by may be the same all
  /// the same: see ``asked``.
  public static func == (left: FilterValues, right: FilterValues) -> Bool { left.json == right.json }
}

/// The parameters of an input `filter`: other values for some of a list's filters.
public struct FilterChange: Record, Sendable {
  /// The values by their names; null for what the screen has.
  public let set: Filters

  /// Its members on the wire.
  public static let fields = Fields(
    FilterChange.init,
    Field("set", \.set, "The values, by the names of the filters; null restores the screen's own value."))
}

extension FilterChange: ExpressibleByDictionaryLiteral {
  /// Values of any type under their names, each once.
  public init(dictionaryLiteral values: (String, (any Encodable)?)...) {
    set = Filters(object: RawJSON(members: values.map(named)))
  }
}

private func named(_ name: String, _ value: (any Encodable)?) -> (name: String, value: RawJSON) {
  (name, value.flatMap { try? RawJSON(encoding: $0) } ?? .null)
}
