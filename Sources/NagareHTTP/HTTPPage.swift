internal import WireJSON

/// A page as `source/page` answers it: the items are the bytes that the server sent.
struct HTTPPage {
  let items: RawJSON
  /// The key of the next page; nil where there is none.
  let next: RawJSON?
  /// The key of the page before; nil where there is none.
  let previous: RawJSON?
  let total: Int?
  /// How many items stand before it; nil where nobody knows.
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
