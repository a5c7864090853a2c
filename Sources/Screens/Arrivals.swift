internal import Nagare

/// The value of the `arrivals` output.
struct Arrivals: Record, OutputValue, Equatable {
  let count: Int

  static let fields = Fields(Arrivals.init(count:), Field("count", \.count, "How many items are held back."))

  static var schema: JSONSchema {
    JSONSchema(properties: fields.properties).titled("Arrivals")
      .described("The new items before the first one that the list defers.")
  }
}
