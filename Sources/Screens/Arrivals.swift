internal import Nagare

/// The value of the `arrivals` output.
struct Arrivals: Record, OutputValue, Equatable {
  let count: Int

  static let fields = Fields(Arrivals.init(count:), Field("count", \.count, "How many items are held back."))

  static var schema: JSONSchema {
    JSONSchema(properties: fields.properties).titled("Arrivals")
      .described("What is held back that would come to stand before the first item.")
  }
}
