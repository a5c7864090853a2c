internal import Flow
internal import ItemList
internal import WireJSON

/// A load of one page. If a load needs several pages, as a reload does, there is a new `Load` for each of them.
struct Load {
  /// The ``UniqueNumber`` of its request; 0 before the load begins.
  var number = 0
  /// The trigger of the load.
  let trigger: LoadTrigger
  /// Whether the load's failure has the name of the trigger, rather than of the input that started the load.
  var isNamed = true
  /// Which page is requested.
  var origin: PageOrigin
  /// Which of the source's items are listed.
  let criteria: Criteria
  /// The requested number of items.
  let size: Int
  /// How many times the page was requested before. It is requested again if it is unknown which changes it contains.
  var tries = 0
  /// The progress that the source last reported; nil if none.
  var progress: LoadProgress?
}

/// The page of a source that is requested, and where its rows belong.
enum PageOrigin {
  /// The first page, which replaces all rows.
  case first
  /// The page after the rows, by the `next` key of the last page.
  case after(RawJSON)
  /// The last page again, by its own key (nil for the first page), because more items may follow by now.
  case open(RawJSON?)
  /// The page before the rows, by the `previous` key of the first page.
  case before(RawJSON)
  /// A page of a reload: by its own key (nil for the first page), or by a position.
  case reload(ReloadExtent, RawJSON? = nil, at: Int? = nil)
  /// An evicted page, by its own key (nil for the first page). Its rows return to their positions.
  case evicted(RawJSON?)
  /// The page that begins at a position of the source.
  case at(Int)
  /// The page that holds an item. It replaces all rows if its position among them is unknown.
  case around(ItemID, isFirst: Bool)
}

/// The rows that a reload loads, if the source has no positions.
enum ReloadExtent {
  /// For a refresh: all rows up to the last one in sight, but at most ten pages. In a list with a window, only the rows
  /// in sight.
  case fromStart
  /// For an invalidated list: the rows in sight.
  case inSight

  var mostPages: Int { self == .fromStart ? 10 : .max }
}

extension PageOrigin {
  /// Whether the page replaces all rows.
  var isFirst: Bool {
    switch self {
    case .first, .around(_, isFirst: true): true
    default: false
    }
  }

  /// Whether the page is requested because it holds an item.
  var isAround: Bool { if case .around = self { true } else { false } }

  /// Whether the page is requested because the window holds unloaded rows of it.
  var isForWindow: Bool {
    switch self {
    case .at, .evicted: true
    default: false
    }
  }

  /// Whether the page is beyond an end of the rows.
  var isFurther: Bool {
    switch self {
    case .after, .open, .before: true
    default: false
    }
  }

  var isReload: Bool { if case .reload = self { true } else { false } }

  var isEvicted: Bool { if case .evicted = self { true } else { false } }

  /// Whether the page's rows go after the existing ones.
  var isAtEnd: Bool { if case .before = self { false } else { true } }

  /// The key by which the page is requested.
  var key: RawJSON? {
    switch self {
    case .after(let key), .before(let key): key
    case .reload(_, let key, _), .evicted(let key), .open(let key): key
    case .first, .at, .around: nil
    }
  }
}
