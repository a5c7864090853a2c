public import WireJSON

/// How a list behaves, independent of its source. In a configuration, all screens with a list have these fields.
public struct PagingOptions: Record, Sendable {
  /// How many items to request for a page: 1 to 10,000.
  public var pageSize: Int
  /// The shortest time between two accepted `reachBottom` inputs. The same time applies to `loadMore` and `reachTop`.
  public var throttle: Milliseconds
  /// What happens to the items when a refresh begins.
  public var onRefresh: OnRefresh
  /// How many items before the end the next page is requested: 0 to 1,000,000,000.
  public var prefetch: Int
  /// The question to the user before an item is removed; nil for none.
  public var confirmRemoval: String?
  /// What happens to arrivals: new items of a live source before the first row.
  public var onArrival: OnArrival
  /// The shortest time between two steps in which reported changes of a live source are listed.
  public var livePace: Milliseconds
  /// The most loaded rows of a list with a window, not counting those in the window: 0 to 1,000,000,000. Further rows
  /// are evicted, and load again when the window comes near.
  public var mostItems: Int
  /// How items are grouped into sections; nil if they aren't.
  public var sections: SectionRule?
  /// Whether items can be marked, to be edited together.
  public var hasMarks: Bool
  /// Whether the list reports the items whose edits aren't finished.
  public var reportsPending: Bool
  /// For how long removals and edits of marked items can be undone; nil if they can't. Such an edit is listed at once.
  /// The source receives it when the time is over, or when the view closes.
  public var undo: Milliseconds?

  /// Creates options. Parameters that aren't given have their usual values.
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

  /// The fields of a configuration.
  public static let fields = Fields(
    PagingOptions.init,
    Field("pageSize", \.pageSize, default: 20, "The number of items in a page.").limited(to: .pageSize),
    Field(
      "throttle", \.throttle, default: Milliseconds(1000), "Milliseconds in which a second reachBottom is ignored."),
    Field("onRefresh", \.onRefresh, default: .clear, "What happens to the items when a refresh starts."),
    Field("prefetch", \.prefetch, default: 0, "How many items before the end of the list the next page is requested.")
      .limited(to: .itemCount),
    Field(
      "confirmRemoval", \.confirmRemoval,
      "The question to the user before an item is removed. By default, no question is asked."),
    Field(
      "arrivals", \.onArrival, default: .show,
      "When the list defers arrivals, which are new items before the first one: never, while the first item isn't in sight, or always."
    ),
    Field(
      "livePace", \.livePace, default: Milliseconds(100),
      "The shortest time between two notifications of a live source's changes, in milliseconds."),
    Field(
      "maxItems", \.mostItems, default: 10_000, "The most rows that a list with a window keeps in memory."
    ).limited(to: .itemCount),
    Field("sections", \.sections, "How items are grouped into sections."),
    Field("marks", \.hasMarks, default: false, "Whether the user can mark items, to edit them together."),
    Field(
      "pending", \.reportsPending, default: false,
      "Whether the screen has the state \"pending\", which lists the items with unfinished edits."),
    Field(
      "undo", \.undo,
      "How long removals and edits of marked items can be undone, in milliseconds. The source receives them after that time."
    ))

  /// The options that a client may set when it opens a screen; nil for those of the configuration.
  public struct Overrides: Record, Sendable {
    var pageSize: Int?
    var throttle: Milliseconds?
    var onRefresh: OnRefresh?
    var prefetch: Int?

    /// The fields of the parameters of `open`.
    public static let fields = Fields(
      Overrides.init,
      Field("pageSize", \.pageSize, "The number of items in a page.").limited(to: .pageSize),
      Field("throttle", \.throttle, "Milliseconds in which a second reachBottom is ignored."),
      Field("onRefresh", \.onRefresh, "What happens to the items when a refresh starts."),
      Field("prefetch", \.prefetch, "How many items before the end of the list the next page is requested.")
        .limited(to: .itemCount))

    /// Creates overrides that change nothing.
    public init() {}

    private init(pageSize: Int?, throttle: Milliseconds?, onRefresh: OnRefresh?, prefetch: Int?) {
      (self.pageSize, self.throttle, self.onRefresh, self.prefetch) = (pageSize, throttle, onRefresh, prefetch)
    }
  }

  /// The options with a client's overrides applied.
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
  /// The valid page sizes.
  package static var pageSize: ClosedRange { 1...10_000 }
  /// The valid numbers of items.
  package static var itemCount: ClosedRange { 0...1_000_000_000 }
}
