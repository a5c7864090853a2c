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
    Field("query", \.query, "The search text."),
    Field(flattening: \.paging))
}

/// What a client may have its own way when it opens a search.
struct SearchParameters: Record {
  var query: QueryText?
  var debounce: Milliseconds?
  var paging = PagingParameters()

  static let fields = Fields(
    SearchParameters.init,
    Field("query", \.query, "The initial search text."),
    Field("debounce", \.debounce, "Milliseconds after the last search text until the search starts."),
    Field(flattening: \.paging))
}

/// What a client may have its own way in all lists.
struct PagingParameters: Record {
  var options = PagingOptions.Overrides()
  var window: WindowParameters?

  static let fields = Fields(
    PagingParameters.init,
    Field(flattening: \.options),
    Field("window", \.window, "Sends a window of the list: the rows in sight, and some around them."))

  /// Refuses a window to a client that hasn't said that it takes such.
  func check(_ client: Service.Client) throws(RPCError) {
    guard window != nil, !client.takesWindows else { return }
    throw RPCError("params.window", mustBe: "left out, unless \"capabilities\" of initialize have \"windows\": true")
  }
}

/// What a client holds that doesn't hold the whole list.
struct WindowParameters: Record {
  var margin = 50

  static let fields = Fields(
    WindowParameters.init,
    Field("margin", \.margin, default: 50, "How many rows a window has on each side of the rows in sight.")
      .limited(to: .margin))
}
