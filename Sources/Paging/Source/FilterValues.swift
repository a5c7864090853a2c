public import Flow
public import WireJSON

/// The filters of a screen and their current values, which the user can change. The filter `sort` is the order.
///
/// ```swift
/// struct State { var filters: FilterValues = ["state": "open", "label": nil, "sort": "-updated"] }
/// // …
/// state.on(input.filter) { try $0.filters.set($1) }   // let filter = Port<FilterChange>()
/// let list = PagedList(of: issues, following: state.filters).feedback(on: clock)
/// return Output(items: list.items, filters: state.filters)
/// ```
/// The source decides what a value means: see ``Filters``.
public struct FilterValues: Sendable {
  private let names: [String]
  private var first: [RawJSON]
  private var own: [RawJSON?]

  /// Creates filters from their names and initial values, in this order. A null value means that nothing is filtered.
  /// Each name must occur once.
  public init(_ values: some Sequence<(name: String, value: RawJSON)>) {
    names = values.map(\.name)
    first = values.map(\.value)
    own = names.map { _ in nil }
  }

  private var values: some Sequence<(name: String, value: RawJSON)> {
    names.indices.lazy.map { (name: names[$0], value: own[$0] ?? first[$0]) }
  }

  /// The filters as they are sent to a source; nil for none.
  public var asked: Filters? { Filters(values) }

  /// Changes the values of some filters. A null value restores the initial value.
  ///
  /// - Throws: a refusal if a filter doesn't exist, or if a value is too long.
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

  /// Changes the initial value of the filter at a position.
  package mutating func setFirst(_ position: Int, _ value: RawJSON) { first[position] = value }
}

extension FilterValues: ExpressibleByDictionaryLiteral {
  /// Creates filters from their names and initial values, which may have any type.
  public init(dictionaryLiteral values: (String, (any Encodable)?)...) {
    self.init(values.map(named))
  }
}

extension FilterValues: JSONEncodable, JSONSchemaProviding, Equatable {
  /// An object of all values; null for filters without a value.
  public var json: RawJSON { RawJSON(members: values) }

  /// Writes the object.
  public func write(to writer: inout JSONWriter) { json.write(to: &writer) }

  /// An object whose values may be anything.
  public static var schema: JSONSchema { Filters.schema }

  /// Whether two have the same JSON, so that a client needn't be notified. Filters with different JSON may still be
  /// equal for the source: see ``asked``.
  public static func == (left: FilterValues, right: FilterValues) -> Bool { left.json == right.json }
}

/// The parameters of an input `filter`: new values for some of a list's filters.
public struct FilterChange: Record, Sendable {
  /// The new values by the names of the filters. A null value restores the screen's value.
  public let set: Filters

  /// The fields on the wire.
  public static let fields = Fields(
    FilterChange.init,
    Field("set", \.set, "The values, by the names of the filters; null restores the screen's own value."))
}

extension FilterChange: ExpressibleByDictionaryLiteral {
  /// Creates a change from names and values, which may have any type.
  public init(dictionaryLiteral values: (String, (any Encodable)?)...) {
    set = Filters(object: RawJSON(members: values.map(named)))
  }
}

private func named(_ name: String, _ value: (any Encodable)?) -> (name: String, value: RawJSON) {
  (name, value.flatMap { try? RawJSON(encoding: $0) } ?? .null)
}
