internal import Screens
internal import Nagare
internal import Paging
internal import RPC

/// What a client may have its own way when it opens a list.
struct ListParameters: Record {
  var query: QueryText?
  var paging = PagingParameters()

  static let fields = Fields(
    ListParameters.init,
    Field("query", \.query, "What it looks for."),
    Field(flattening: \.paging))
}

/// What a client may have its own way when it opens a search.
struct SearchParameters: Record {
  var query: QueryText?
  var debounce: Milliseconds?
  var paging = PagingParameters()

  static let fields = Fields(
    SearchParameters.init,
    Field("query", \.query, "What it looks for at first."),
    Field("debounce", \.debounce, "Milliseconds without another text after which a text is searched for."),
    Field(flattening: \.paging))
}

/// What a client may have its own way in all lists.
struct PagingParameters: Record {
  var pageSize: Int?
  var throttle: Milliseconds?
  var onRefresh: OnRefresh?
  var prefetch: Int?
  var window: WindowParameters?

  static let fields = Fields(
    PagingParameters.init,
    Field("pageSize", \.pageSize, "How many items a page has.").limited(to: .pageSize),
    Field("throttle", \.throttle, "Milliseconds in which a second reachBottom is dropped."),
    Field("onRefresh", \.onRefresh, "Whether a refresh empties the list at once."),
    Field("prefetch", \.prefetch, "How many items before the end the next page is asked for.")
      .limited(to: .itemCount),
    Field("window", \.window, "Has the client hold what is in sight, and some around it."))

  /// Refuses a window to a client that hasn't said that it takes such.
  func check(_ client: Service.Client) throws(RPCError) {
    guard window != nil, !client.takesWindows else { return }
    throw RPCError("params.window", mustBe: "left out, unless \"capabilities\" of initialize say \"windows\": true")
  }
}

/// What a client holds that doesn't hold the whole list.
struct WindowParameters: Record {
  var margin = 50

  static let fields = Fields(
    WindowParameters.init,
    Field("margin", \.margin, default: 50, "How many rows it holds on either side of those in sight.")
      .limited(to: .margin))
}
