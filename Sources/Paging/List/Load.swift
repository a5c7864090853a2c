internal import Flow
internal import ItemList
internal import WireJSON

/// A load of one page. A load that needs several pages, as a reload does, begins a new one for each of them.
struct Load {
  /// The ``UniqueNumber`` of its run; 0 before it begins.
  var number = 0
  /// What makes it begin.
  let trigger: LoadTrigger
  /// Whether its failure is named by the trigger, rather than by the input that caused it.
  var isNamed = true
  /// Which page it asks for.
  var origin: PageOrigin
  /// Which of the source's items are listed.
  let criteria: Criteria
  /// How many items the page should have.
  let size: Int
  /// How often the page was asked for before and had to be asked for again, because nobody could say which changes it knew.
  var tries = 0
  /// How far it has come.
  var progress: LoadProgress?
}

/// Which page of a source is asked for, and where its rows belong.
enum PageOrigin {
  /// The first page, which replaces all rows.
  case first
  /// The page after the rows, by the key that the page before named.
  case after(RawJSON)
  /// The last page once more, by the key by which it came (nil for the first page): more items may follow its own by now.
  case open(RawJSON?)
  /// The page before the rows, by the key that the page after named.
  case before(RawJSON)
  /// A page of a list that reloads: by the key by which it came before (nil for the first page), or by a position.
  case reload(ReloadExtent, RawJSON? = nil, at: Int? = nil)
  /// An evicted page, by the key by which it came (nil for the first page). Its rows return to where they were.
  case evicted(RawJSON?)
  /// The page from a position on, as the source counts.
  case at(Int)
  /// The page that holds an item. It replaces all rows if nobody knows where it stands among them.
  case around(ItemID, isFirst: Bool)
}

/// Which rows are loaded again when a list reloads and its source has no positions.
enum ReloadExtent {
  /// Those from the first to the last one in sight, by ten pages at most: a refresh that keeps the user's place. In a window,
  /// those in sight.
  case fromStart
  /// Those in sight, because the list was invalidated.
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

  /// Whether the page is asked for because it holds an item.
  var isAround: Bool { if case .around = self { true } else { false } }

  /// Whether the page is asked for because a window holds rows of it that aren't read.
  var isForWindow: Bool {
    switch self {
    case .at, .evicted: true
    default: false
    }
  }

  /// Whether the page lies beyond an end of the rows.
  var isFurther: Bool {
    switch self {
    case .after, .open, .before: true
    default: false
    }
  }

  var isReload: Bool { if case .reload = self { true } else { false } }

  var isEvicted: Bool { if case .evicted = self { true } else { false } }

  /// Whether the page's rows go after those that are there.
  var isAtEnd: Bool { if case .before = self { false } else { true } }

  /// The key under which the source has the page.
  var key: RawJSON? {
    switch self {
    case .after(let key), .before(let key): key
    case .reload(_, let key, _), .evicted(let key), .open(let key): key
    case .first, .at, .around: nil
    }
  }
}
