import Nagare

/// What the list shows: an object on the wire.
struct Article: Record, OutputValue, Identifiable {
  let id: String
  let title: String

  static let fields = Fields(Article.init, Field("id", \.id), Field("title", \.title))
}

/// Some articles, and where it goes on.
struct ArticlePage {
  let articles: [Article]
  /// The number of the next page; nil where this is the last.
  let next: Int?
}
