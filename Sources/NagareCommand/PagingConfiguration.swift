internal import Nagare
internal import Paging
internal import RPC
internal import WireJSON

/// What all lists have in common: how they grow, and what is done with their items.
struct PagingConfiguration: Record, Sendable {
  var pageSize = 20
  var throttle = Milliseconds(1000)
  var onRefresh = OnRefresh.clear
  var prefetch = 0
  var confirmRemoval: String?
  var detail: Reference?
  var filters = OrderedMembers<ValueOrStoreKey<RawJSON>>()
  var arrivals = OnArrival.show
  var livePace = Milliseconds(100)
  var maxItems = 10_000
  var sections: SectionRule?
  var marks = false
  var display: DisplayConfiguration?

  static let fields = Fields(
    PagingConfiguration.init,
    Field("pageSize", \.pageSize, default: 20, "How many items a page has.").limited(to: .pageSize),
    Field(
      "throttle", \.throttle, default: Milliseconds(1000), "Milliseconds in which a second reachBottom is dropped."),
    Field("onRefresh", \.onRefresh, default: .clear, "Whether a refresh empties the list at once."),
    Field("prefetch", \.prefetch, default: 0, "How many items before the end the next page is asked for.")
      .limited(to: .itemCount),
    Field(
      "confirmRemoval", \.confirmRemoval,
      "What the user is asked before an item is removed; nothing is asked where it is absent."),
    Field("detail", \.detail, "The screen that select opens: a name among the screens."),
    Field(
      "filters", \.filters, default: OrderedMembers(),
      "What it filters and sorts by: a value under each name, or the store's key that it follows."),
    Field(
      "arrivals", \.arrivals, default: .show,
      "Whether items are held back that a live source lists before the first: never, while that isn't in sight, or always."
    ),
    Field(
      "livePace", \.livePace, default: Milliseconds(100),
      "Milliseconds between two notifications of changes that a live source reports."),
    Field(
      "maxItems", \.maxItems, default: 10_000,
      "How many rows are kept for a client that holds a window of them."
    ).limited(to: .itemCount),
    Field("sections", \.sections, "By what neighbours are counted together, under a heading."),
    Field("marks", \.marks, default: false, "Whether items can be marked, to be edited together."),
    Field("display", \.display, displaySummary))
}
