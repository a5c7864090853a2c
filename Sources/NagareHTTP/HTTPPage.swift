internal import WireJSON

/// A page, as the result of `source/page`. The items have exactly the bytes that the server sent.
struct HTTPPage {
  let items: RawJSON
  /// The key of the next page; nil if there is none.
  let next: RawJSON?
  /// The key of the previous page; nil if there is none.
  let previous: RawJSON?
  let total: Int?
  /// The number of items before the page; nil if it is unknown.
  var position: Int?

  /// Writes the result of `source/page`.
  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("items", items)
    writer.member("next", next)
    if let previous { writer.member("previous", previous) }
    if let total { writer.member("total", total) }
    if let position { writer.member("position", position) }
    writer.endObject()
  }
}
