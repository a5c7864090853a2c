public import Nagare
public import Paging

/// One of the values that a screen filters by.
public struct FilterSetting {
  /// Its name. What `sort` names is the order.
  public let name: String
  /// The value; null for none.
  public let value: RawJSON
  /// The values that it has from then on, such as a store's; nil if it stays as it is.
  public let values: Driver<RawJSON>?

  /// A value that stays as it is.
  ///
  /// - Parameters:
  ///   - name: its name.
  ///   - value: the value; null for none.
  public init(_ name: String, _ value: RawJSON) { (self.name, self.value, values) = (name, value, nil) }

  /// A value that is followed.
  ///
  /// - Parameters:
  ///   - name: its name.
  ///   - values: the current value and those that come, such as a store's.
  public init(_ name: String, following values: Driver<RawJSON>) {
    (self.name, value, self.values) = (name, values.value, values)
  }
}

/// What a list is filtered and sorted by: a value under each name, the screen's or the view's own.
struct ListFilters {
  private let names: [String]
  private var screens: [RawJSON]
  private var own: [RawJSON?]

  init(_ settings: [FilterSetting]) {
    names = settings.map(\.name)
    screens = settings.map(\.value)
    own = settings.map { _ in nil }
  }

  private var values: some Sequence<(name: String, value: RawJSON)> {
    names.indices.lazy.map { (name: names[$0], value: own[$0] ?? screens[$0]) }
  }

  /// What a source is asked by.
  var asked: Filters? { Filters(values) }

  /// What is filtered by, null under the names that have no value.
  var current: RawJSON { RawJSON(members: values) }

  /// The screen's value under one of the names has changed.
  mutating func follow(_ position: Int, _ value: RawJSON) { screens[position] = value }

  /// The view has its own way.
  mutating func set(_ change: FilterChange) throws(Refusal) {
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
}

/// The parameters of `filter`.
public struct FilterChange: Record, Sendable {
  /// The values by their names; null for the screen's own.
  public let set: Filters

  /// Its members on the wire.
  public static let fields = Fields(
    FilterChange.init,
    Field("set", \.set, "The values by the filters' names; null for what the screen has."))
}

/// The value of the `filters` output.
struct CurrentFilters: SharedValue, JSONSchemaProviding {
  let json: RawJSON

  func write(to writer: inout JSONWriter) { json.write(to: &writer) }

  static var schema: JSONSchema { Filters.schema }
}
