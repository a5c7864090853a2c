public import Nagare

// The types of the built-in view models' parameters and values.
//
// Generated from protocol/openrpc.json; make generate

/// Replaces a listed item, or sets fields of all marked items.
public struct Change<Item: Codable & Sendable>: Codable, Sendable {
  /// The new item. It replaces the listed item with the same id.
  public let item: Item?
  /// In place of an item: true for all marked items, if the screen has marks.
  public let marked: Bool?
  /// The fields to set in all marked items.
  public let set: RawJSON?

  /// Creates a value from its fields.
  public init(item: Item? = nil, marked: Bool? = nil, set: RawJSON? = nil) {
    self.item = item
    self.marked = marked
    self.set = set
  }
}

/// Reports the rows in sight: from `start` up to, but not including, `end`.
public struct Viewport: Codable, Sendable {
  /// The position of the first row in sight, from 0.
  public let start: Int
  /// The position after the last row in sight.
  public let end: Int
  /// In a window: the revision of the items that the positions refer to.
  public let revision: Int?

  /// Creates a value from its fields.
  public init(start: Int, end: Int, revision: Int? = nil) {
    self.start = start
    self.end = end
    self.revision = revision
  }
}

/// Inserts an item before another one, or at the start.
public struct Insert<Item: Codable & Sendable>: Codable, Sendable {
  /// The item: an object with its id.
  public let item: Item
  /// The id of the item to insert before; by default the first one.
  public let before: ItemID?

  /// Creates a value from its fields.
  public init(item: Item, before: ItemID? = nil) {
    self.item = item
    self.before = before
  }
}

/// Removes an item, or all marked items.
public struct Remove: Codable, Sendable {
  /// The id of the item.
  public let id: ItemID?
  /// In place of an id: true for all marked items, if the screen has marks.
  public let marked: Bool?

  /// Creates a value from its fields.
  public init(id: ItemID? = nil, marked: Bool? = nil) {
    self.id = id
    self.marked = marked
  }
}

/// Moves the window to a row or an item.
public struct Jump: Codable, Sendable {
  /// The position of the row, from 0.
  public let index: Int?
  /// The id of the item, in place of a position.
  public let id: ItemID?

  /// Creates a value from its fields.
  public init(index: Int? = nil, id: ItemID? = nil) {
    self.index = index
    self.id = id
  }
}

/// Marks an item, a range of items, or all items.
public struct Mark: Codable, Sendable {
  /// The item.
  public let id: ItemID?
  /// With "to", in place of an id: the item at one end of a range. It belongs to the range.
  public let from: ItemID?
  /// The item at the other end of the range. It may come before or after "from", and belongs to the range.
  public let to: ItemID?
  /// In place of an id: true for all items of the list, whether or not they are loaded.
  public let all: Bool?

  /// Creates a value from its fields.
  public init(id: ItemID? = nil, from: ItemID? = nil, to: ItemID? = nil, all: Bool? = nil) {
    self.id = id
    self.from = from
    self.to = to
    self.all = all
  }
}

/// Removes marks.
public struct Unmark: Codable, Sendable {
  /// The item.
  public let id: ItemID?
  /// With "to", in place of an id: the item at one end of a range. It belongs to the range.
  public let from: ItemID?
  /// The item at the other end of the range. It may come before or after "from", and belongs to the range.
  public let to: ItemID?
  /// In place of an id: true for all items of the list, whether or not they are loaded.
  public let all: Bool?

  /// Creates a value from its fields.
  public init(id: ItemID? = nil, from: ItemID? = nil, to: ItemID? = nil, all: Bool? = nil) {
    self.id = id
    self.from = from
    self.to = to
    self.all = all
  }
}

/// Moves to the next or previous item, or to the item with an id.
public struct Swipe: Codable, Sendable {
  /// The direction: to the next or the previous item.
  public enum To: String, Codable, CaseIterable, Sendable {
    /// `next`.
    case next
    /// `previous`.
    case previous
  }

  /// The direction: to the next or the previous item.
  public let to: To?
  /// The id of the item to move to.
  public let id: ItemID?

  /// Creates a value from its fields.
  public init(to: To? = nil, id: ItemID? = nil) {
    self.to = to
    self.id = id
  }
}

/// The state of a list's newest load.
public struct LoadState: Codable, Sendable {
  /// The input that started the newest load.
  public enum Trigger: String, Codable, CaseIterable, Sendable {
    /// `appear`.
    case appear
    /// `reachBottom`.
    case reachBottom
    /// `loadMore`.
    case loadMore
    /// `reachTop`.
    case reachTop
    /// `refresh`.
    case refresh
    /// `search`.
    case search
    /// `filter`.
    case filter
    /// `retry`.
    case retry
    /// `invalidated`.
    case invalidated
    /// `viewport`.
    case viewport
    /// `jump`.
    case jump
  }

  /// The phase of the load.
  public enum Phase: String, Codable, CaseIterable, Sendable {
    /// `nothing`.
    case nothing
    /// `requesting`.
    case requesting
    /// `requestFinished`.
    case requestFinished
    /// `reachedBottom`.
    case reachedBottom
    /// `failed`.
    case failed
  }

  /// The input that started the newest load.
  public let trigger: Trigger
  /// The phase of the load.
  public let phase: Phase
  /// The number of listed items.
  public let count: Int
  /// The total number of items of a live source; null if it isn't known.
  public let total: Int?
  /// The progress of the load; absent if the source doesn't report any.
  public let progress: LoadProgress?

  /// Creates a value from its fields.
  public init(trigger: Trigger, phase: Phase, count: Int, total: Int? = nil, progress: LoadProgress? = nil) {
    self.trigger = trigger
    self.phase = phase
    self.count = count
    self.total = total
    self.progress = progress
  }
}

/// The progress of the load; absent if the source doesn't report any.
public struct LoadProgress: Codable, Sendable {
  /// How much of the work is done.
  public let done: Int
  /// The amount of all the work; absent if it isn't known.
  public let of: Int?
  /// The unit of both numbers, such as bytes; absent if the source doesn't name it.
  public let unit: String?

  /// Creates a value from its fields.
  public init(done: Int, of: Int? = nil, unit: String? = nil) {
    self.done = done
    self.of = of
    self.unit = unit
  }
}

/// Consecutive items of a list that share a value.
public struct ListSection: Codable, Sendable {
  /// The value that the items share: a text, a number, true, false or null.
  public let key: RawJSON?
  /// The position of the section's first item in the list, from 0.
  public let start: Int
  /// The number of items; null if not all of them are loaded.
  public let count: Int?

  /// Creates a value from its fields.
  public init(key: RawJSON?, start: Int, count: Int?) {
    self.key = key
    self.start = start
    self.count = count
  }
}

/// The marks of a list.
public struct Marks: Codable, Sendable {
  /// The number of marked items; null if it isn't known.
  public let count: Int?
  /// Whether all items are marked except those in ids.
  public let all: Bool
  /// The marked items. If all is true, the items that aren't marked.
  public let ids: [ItemID]

  /// Creates a value from its fields.
  public init(count: Int?, all: Bool, ids: [ItemID]) {
    self.count = count
    self.all = all
    self.ids = ids
  }
}

/// A listed item with an unfinished edit.
public struct PendingItem: Codable, Sendable {
  /// The state of the edit.
  public enum State: String, Codable, CaseIterable, Sendable {
    /// `sending`.
    case sending
    /// `failed`.
    case failed
  }

  /// The id of the item.
  public let id: ItemID
  /// The state of the edit.
  public let state: State

  /// Creates a value from its fields.
  public init(id: ItemID, state: State) {
    self.id = id
    self.state = state
  }
}

/// An edit that can be undone. The list shows it, and the source hasn't received it yet.
public struct UndoableEdit: Codable, Sendable {
  /// The number of edited items; null if it isn't known.
  public let count: Int?
  /// The kind of the edit: "remove" or "change".
  public let input: String
  /// The ids of the edited items; absent if all are edited.
  public let ids: [ItemID]?
  /// True if all items are edited except some.
  public let all: Bool?
  /// With "all": the ids of the items that aren't edited.
  public let except: [ItemID]?
  /// How long the edit can be undone after it was made, in milliseconds.
  public let milliseconds: Int

  /// Creates a value from its fields.
  public init(
    count: Int?, input: String, ids: [ItemID]? = nil, all: Bool? = nil, except: [ItemID]? = nil, milliseconds: Int
  ) {
    self.count = count
    self.input = input
    self.ids = ids
    self.all = all
    self.except = except
    self.milliseconds = milliseconds
  }
}

/// The deferred arrivals: new items before the first one.
public struct Arrivals: Codable, Sendable {
  /// The number of deferred arrivals.
  public let count: Int

  /// Creates a value from its fields.
  public init(count: Int) {
    self.count = count
  }
}

/// A row to scroll to.
public struct ScrollTarget: Codable, Sendable {
  /// The position of the row, from 0.
  public let index: Int
  /// The id of the item there; null if the row isn't loaded.
  public let id: ItemID?

  /// Creates a value from its fields.
  public init(index: Int, id: ItemID?) {
    self.index = index
    self.id = id
  }
}

/// The item that a pager shows, and its position.
public struct PagerPage<Item: Codable & Sendable>: Codable, Sendable {
  /// The id of the item; null if its row isn't loaded.
  public let id: ItemID?
  /// The position of the item in the list, from 0; null if it isn't listed.
  public let index: Int?
  /// The number of listed items.
  public let count: Int
  /// The item; null if it is neither listed nor loaded.
  public let item: Item?
  /// Whether there is a previous item to swipe to.
  public let hasPrevious: Bool
  /// Whether there is a next item to swipe to.
  public let hasNext: Bool
  /// Whether the source has more items than the list, or rows follow that aren't loaded.
  public let hasMore: Bool
  /// Whether the item is full, if the screen requests full items. Otherwise it is the row.
  public let whole: Bool?

  /// Creates a value from its fields.
  public init(
    id: ItemID?, index: Int?, count: Int, item: Item?, hasPrevious: Bool, hasNext: Bool, hasMore: Bool,
    whole: Bool? = nil
  ) {
    self.id = id
    self.index = index
    self.count = count
    self.item = item
    self.hasPrevious = hasPrevious
    self.hasNext = hasNext
    self.hasMore = hasMore
    self.whole = whole
  }
}

/// The kinds of task that every client should know (section 5.5).
public enum TaskKind: String, CaseIterable, Sendable {
  /// Shows a message to the user.
  case alert
  /// Asks the user to confirm. True, or no value, confirms.
  case confirm
  /// Asks the user for a line of text.
  case prompt
  /// Asks the user to choose. The result is the id of the choice.
  case choose
  /// Asks the user for a picture. The result is the client's name or address for it.
  case pickImage
  /// Asks the user to sign in. The result is the proof, such as a token.
  case login
}
