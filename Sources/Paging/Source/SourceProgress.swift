public import Flow
public import WireJSON

/// The parameters of `source/progress`.
package struct SourceProgressParams: Record {
  let request: Int
  let progress: LoadProgress

  package static let fields = Fields(
    SourceProgressParams.init,
    Field("request", \.request, "The id of the `source/page` that takes long."), Field(flattening: \.progress))
}

extension LoadProgress: Record {
  /// Its members on the wire.
  public static let fields = Fields(
    LoadProgress.init(done:of:unit:), Field("done", \.done, "How much is done.").limited(to: RawJSON.quantities),
    Field("of", \.total, "Of how much; absent where nobody knows.").limited(to: RawJSON.quantities),
    Field("unit", \.unit, "What is counted, such as bytes; absent if the source doesn't say."))

  /// Its members, by the name of the type.
  public static var schema: JSONSchema {
    JSONSchema(properties: fields.properties).titled("LoadProgress")
      .described("How far a load has come that takes long.")
  }
}
