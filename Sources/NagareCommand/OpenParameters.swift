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
  var options = PagingOptions.Overrides()
  var window: WindowParameters?

  static let fields = Fields(
    PagingParameters.init,
    Field(flattening: \.options),
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
