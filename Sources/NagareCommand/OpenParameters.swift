internal import Screens
internal import Nagare
internal import Paging
internal import RPC

/// The settings of a list that a client can change in `open`.
struct ListParameters: Record {
  var query: QueryText?
  var paging = PagingParameters()

  static let fields = Fields(
    ListParameters.init,
    Field("query", \.query, "The search text."),
    Field(flattening: \.paging))
}

/// The settings of a search that a client can change in `open`.
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

/// The settings of lists and searches that a client can change in `open`.
struct PagingParameters: Record {
  var options = PagingOptions.Overrides()
  var window: WindowParameters?

  static let fields = Fields(
    PagingParameters.init,
    Field(flattening: \.options),
    Field("window", \.window, "Sends a window of the list: the rows in sight, and some around them."))

  /// Refuses a window if the client's capabilities in `initialize` don't include windows.
  func check(_ client: Service.Client) throws(RPCError) {
    guard window != nil, !client.takesWindows else { return }
    throw RPCError("params.window", mustBe: "left out, unless initialize sets \"windows\": true in \"capabilities\"")
  }
}

/// The size of a client's window.
struct WindowParameters: Record {
  var margin = 50

  static let fields = Fields(
    WindowParameters.init,
    Field("margin", \.margin, default: 50, "How many rows a window has on each side of the rows in sight.")
      .limited(to: .margin))
}
