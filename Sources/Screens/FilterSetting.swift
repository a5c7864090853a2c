public import Nagare
internal import Paging

/// One of the values that a screen filters by.
public struct FilterSetting {
  /// Its name. What `sort` names is the order.
  public let name: String
  /// The value; null for none.
  public let value: RawJSON
  /// The values that it has from then on, such as a store's; nil if it stays as it is.
  public let values: Driver<RawJSON>?

  /// A value that stays as it is; null for none.
  public init(_ name: String, _ value: RawJSON) { (self.name, self.value, values) = (name, value, nil) }

  /// A value that is followed.
  public init(_ name: String, following values: Driver<RawJSON>) {
    (self.name, value, self.values) = (name, values.value, values)
  }
}

extension FilterValues {
  /// The values that a screen has at first.
  init(_ settings: [FilterSetting]) { self.init(settings.map { (name: $0.name, value: $0.value) }) }
}
