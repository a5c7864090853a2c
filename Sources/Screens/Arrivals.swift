internal import Nagare

/// The value of the output `arrivals`.
struct Arrivals: Record, OutputValue, Equatable {
  let count: Int

  static let fields = Fields(Arrivals.init(count:), Field("count", \.count, "The number of deferred arrivals."))

  static var schema: JSONSchema {
    JSONSchema(properties: fields.properties).titled("Arrivals")
      .described("The deferred arrivals: new items before the first one.")
  }
}
