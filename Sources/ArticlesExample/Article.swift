import Nagare

/// What the list shows: an object on the wire.
struct Article: Record, OutputValue, Identifiable {
  let id: String
  let title: String

  static let fields = Fields(Article.init, Field("id", \.id), Field("title", \.title))
}
