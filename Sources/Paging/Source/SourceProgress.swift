public import Flow
public import WireJSON

/// The parameters of `source/progress`.
package struct SourceProgressParams: Record {
  let request: Int
  let progress: LoadProgress

  package static let fields = Fields(
    SourceProgressParams.init,
    Field("request", \.request, "The id of the `source/page` request."), Field(flattening: \.progress))
}

extension LoadProgress: Record {
  /// The fields on the wire.
  public static let fields = Fields(
    LoadProgress.init(done:of:unit:),
    Field("done", \.done, "How much of the work is done.").limited(to: RawJSON.quantities),
    Field("of", \.total, "The amount of all the work; absent if it isn't known.").limited(to: RawJSON.quantities),
    Field("unit", \.unit, "The unit of both numbers, such as bytes; absent if the source doesn't name it."))

  /// An object with these fields, titled by the type's name.
  public static var schema: JSONSchema {
    JSONSchema(properties: fields.properties).titled("LoadProgress")
      .described("The progress of a slow load.")
  }
}
