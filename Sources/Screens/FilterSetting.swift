public import Nagare
internal import Paging

/// One filter of a screen: its name and its value.
public struct FilterSetting {
  /// The name of the filter. The filter `sort` determines the order.
  public let name: String
  /// The first value; null if the filter is off.
  public let value: RawJSON
  /// The later values, for example those of a store; nil if only inputs change the value.
  public let values: Driver<RawJSON>?

  /// A filter with a first value; null turns it off.
  public init(_ name: String, _ value: RawJSON) { (self.name, self.value, values) = (name, value, nil) }

  /// A filter that follows the values of a driver.
  public init(_ name: String, following values: Driver<RawJSON>) {
    (self.name, value, self.values) = (name, values.value, values)
  }
}

extension FilterValues {
  /// The first values of a screen's filters.
  init(_ settings: [FilterSetting]) { self.init(settings.map { (name: $0.name, value: $0.value) }) }
}
