public import WireJSON

/// How a list behaves, whatever its source: the members that all screens with a list have in their configuration.
public struct PagingOptions: Record, Sendable {
  /// How many items a page has: 1 to 10,000.
  public var pageSize: Int
  /// The shortest time between two accepted `reachBottom`s; likewise for `loadMore` and `reachTop`.
  public var throttle: Milliseconds
  /// What happens to the items when a refresh begins.
  public var onRefresh: OnRefresh
  /// How many items before the end a screen requests the next page: 0 to 1,000,000,000.
  public var prefetch: Int
  /// The question before an item is removed; nil if none is asked.
  public var confirmRemoval: String?
  /// What happens to items that a live source lists before the first one.
  public var onArrival: OnArrival
  /// The shortest time between two steps in which changes of a live source are listed.
  public var livePace: Milliseconds
  /// The most read rows of a list with a window, besides those in the window: 0 to 1,000,000,000. Others are read again when
  /// the window comes near.
  public var mostItems: Int
  /// How items are grouped into sections; nil if they aren't.
  public var sections: SectionRule?
  /// Whether items can be marked, to be edited together.
  public var hasMarks: Bool
  /// Whether the items are reported whose edits aren't finished.
  public var reportsPending: Bool
  /// For how long removals and edits of marked items can be undone; nil if they can't. The list shows such an edit at once and
  /// asks the source for it when the time is over, or when the view closes.
  public var undo: Milliseconds?

  /// The usual behaviour, except for what is given.
  public init(
    pageSize: Int = 20, throttle: Milliseconds = Milliseconds(1000), onRefresh: OnRefresh = .clear, prefetch: Int = 0,
    confirmRemoval: String? = nil, onArrival: OnArrival = .show, livePace: Milliseconds = Milliseconds(100),
    mostItems: Int = 10_000, sections: SectionRule? = nil, hasMarks: Bool = false,
    reportsPending: Bool = false, undo: Milliseconds? = nil
  ) {
    (self.pageSize, self.throttle, self.onRefresh) = (pageSize, throttle, onRefresh)
    (self.prefetch, self.confirmRemoval, self.onArrival) = (prefetch, confirmRemoval, onArrival)
    (self.livePace, self.mostItems, self.sections) = (livePace, mostItems, sections)
    (self.hasMarks, self.reportsPending, self.undo) = (hasMarks, reportsPending, undo)
  }

  /// The members of a configuration.
  public static let fields = Fields(
    PagingOptions.init,
    Field("pageSize", \.pageSize, default: 20, "How many items a page has.").limited(to: .pageSize),
    Field(
      "throttle", \.throttle, default: Milliseconds(1000), "Milliseconds in which a second reachBottom is dropped."),
    Field("onRefresh", \.onRefresh, default: .clear, "Whether a refresh empties the list at once."),
    Field("prefetch", \.prefetch, default: 0, "How many items before the end the next page is asked for.")
      .limited(to: .itemCount),
    Field(
      "confirmRemoval", \.confirmRemoval,
      "What the user is asked before an item is removed; nothing is asked where it is absent."),
    Field(
      "arrivals", \.onArrival, default: .show,
      "Whether items are held back that a live source lists before the first: never, while that isn't in sight, or always."
    ),
    Field(
      "livePace", \.livePace, default: Milliseconds(100),
      "Milliseconds between two notifications of changes that a live source reports."),
    Field(
      "maxItems", \.mostItems, default: 10_000, "How many rows are kept for a client that holds a window of them."
    ).limited(to: .itemCount),
    Field("sections", \.sections, "By what neighbours are counted together, under a heading."),
    Field("marks", \.hasMarks, default: false, "Whether items can be marked, to be edited together."),
    Field(
      "pending", \.reportsPending, default: false,
      "Whether the state \"pending\" lists the items whose edits aren't finished."),
    Field(
      "undo", \.undo,
      "Milliseconds in which removals and edits of marked items can be undone. The source is asked after them."))

  /// The options that a client may set when it opens a screen; nil for those of the configuration.
  public struct Overrides: Record, Sendable {
    var pageSize: Int?
    var throttle: Milliseconds?
    var onRefresh: OnRefresh?
    var prefetch: Int?

    /// The members of the parameters of `open`.
    public static let fields = Fields(
      Overrides.init,
      Field("pageSize", \.pageSize, "How many items a page has.").limited(to: .pageSize),
      Field("throttle", \.throttle, "Milliseconds in which a second reachBottom is dropped."),
      Field("onRefresh", \.onRefresh, "Whether a refresh empties the list at once."),
      Field("prefetch", \.prefetch, "How many items before the end the next page is asked for.")
        .limited(to: .itemCount))

    /// No overrides.
    public init() {}

    private init(pageSize: Int?, throttle: Milliseconds?, onRefresh: OnRefresh?, prefetch: Int?) {
      (self.pageSize, self.throttle, self.onRefresh, self.prefetch) = (pageSize, throttle, onRefresh, prefetch)
    }
  }

  /// The options with a client's own in their place.
  public func overridden(by overrides: Overrides) -> PagingOptions {
    var options = self
    options.pageSize = overrides.pageSize ?? pageSize
    options.throttle = overrides.throttle ?? throttle
    options.onRefresh = overrides.onRefresh ?? onRefresh
    options.prefetch = overrides.prefetch ?? prefetch
    return options
  }
}

extension ClosedRange<Int> {
  /// How many items a page may have.
  package static var pageSize: ClosedRange { 1...10_000 }
  /// How many items there may be.
  package static var itemCount: ClosedRange { 0...1_000_000_000 }
}
