public import Nagare

// What the built-in view models' inputs and outputs are made of.
//
// Generated from protocol/openrpc.json; make generate

/// Replaces a listed item by one with the same id, or gives all that is marked some members.
public struct Change<Item: Codable & Sendable>: Codable, Sendable {
  /// What the listed item with its id is to be.
  public let item: Item?
  /// In place of an item: true for all that is marked, where the screen has marks.
  public let marked: Bool?
  /// The members that all that is marked is to get, each in place of the item's own.
  public let set: RawJSON?

  /// Made of its members.
  public init(item: Item? = nil, marked: Bool? = nil, set: RawJSON? = nil) {
    self.item = item
    self.marked = marked
    self.set = set
  }
}

/// Says which rows are in sight, from `start` to the one before `end`.
public struct Viewport: Codable, Sendable {
  /// The first row in sight, from 0.
  public let start: Int
  /// The row after the last in sight.
  public let end: Int
  /// In a window: the revision of the items that they are meant in.
  public let revision: Int?

  /// Made of its members.
  public init(start: Int, end: Int, revision: Int? = nil) {
    self.start = start
    self.end = end
    self.revision = revision
  }
}

/// Puts an item before the one with an id, or first.
public struct Insert<Item: Codable & Sendable>: Codable, Sendable {
  /// The item, an object with its id.
  public let item: Item
  /// The item that it is to stand before; by default the first.
  public let before: ItemID?

  /// Made of its members.
  public init(item: Item, before: ItemID? = nil) {
    self.item = item
    self.before = before
  }
}

/// Takes an item out, or all that is marked.
public struct Remove: Codable, Sendable {
  /// The item's id.
  public let id: ItemID?
  /// In place of an id: true for all that is marked, where the screen has marks.
  public let marked: Bool?

  /// Made of its members.
  public init(id: ItemID? = nil, marked: Bool? = nil) {
    self.id = id
    self.marked = marked
  }
}

/// Goes to a row or an item of a list that is seen through a window.
public struct Jump: Codable, Sendable {
  /// The row's position, from 0.
  public let index: Int?
  /// The item's id, in place of a position.
  public let id: ItemID?

  /// Made of its members.
  public init(index: Int? = nil, id: ItemID? = nil) {
    self.index = index
    self.id = id
  }
}

/// Marks an item, those between two, or all, to be edited together.
public struct Mark: Codable, Sendable {
  /// The item.
  public let id: ItemID?
  /// In place of an item, with "to": the item at one end of neighbours, which is one of them.
  public let from: ItemID?
  /// The item at their other end, before that or behind it, and one of them as well.
  public let to: ItemID?
  /// In place of an item: true for all that is looked for, read or not.
  public let all: Bool?

  /// Made of its members.
  public init(id: ItemID? = nil, from: ItemID? = nil, to: ItemID? = nil, all: Bool? = nil) {
    self.id = id
    self.from = from
    self.to = to
    self.all = all
  }
}

/// Takes marks away.
public struct Unmark: Codable, Sendable {
  /// The item.
  public let id: ItemID?
  /// In place of an item, with "to": the item at one end of neighbours, which is one of them.
  public let from: ItemID?
  /// The item at their other end, before that or behind it, and one of them as well.
  public let to: ItemID?
  /// In place of an item: true for all that is looked for, read or not.
  public let all: Bool?

  /// Made of its members.
  public init(id: ItemID? = nil, from: ItemID? = nil, to: ItemID? = nil, all: Bool? = nil) {
    self.id = id
    self.from = from
    self.to = to
    self.all = all
  }
}

/// Goes to the neighbour, or to the item with an id.
public struct Swipe: Codable, Sendable {
  /// To the next or the previous item.
  public enum To: String, Codable, CaseIterable, Sendable {
    /// `next`.
    case next
    /// `previous`.
    case previous
  }

  /// To the next or the previous item.
  public let to: To?
  /// To the item with this id.
  public let id: ItemID?

  /// Made of its members.
  public init(to: To? = nil, id: ItemID? = nil) {
    self.to = to
    self.id = id
  }
}

/// How far the newest load of a list has come.
public struct LoadState: Codable, Sendable {
  /// What made the newest load begin.
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

  /// How far it has come.
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

  /// What made the newest load begin.
  public let trigger: Trigger
  /// How far it has come.
  public let phase: Phase
  /// How many items are listed.
  public let count: Int
  /// How many items a live source has in all; null where nobody knows.
  public let total: Int?
  /// How far the load has come; absent where its source doesn't say.
  public let progress: LoadProgress?

  /// Made of its members.
  public init(trigger: Trigger, phase: Phase, count: Int, total: Int? = nil, progress: LoadProgress? = nil) {
    self.trigger = trigger
    self.phase = phase
    self.count = count
    self.total = total
    self.progress = progress
  }
}

/// How far the load has come; absent where its source doesn't say.
public struct LoadProgress: Codable, Sendable {
  /// How much is done.
  public let done: Int
  /// Of how much; absent where nobody knows.
  public let of: Int?
  /// What is counted, such as bytes; absent if the source doesn't say.
  public let unit: String?

  /// Made of its members.
  public init(done: Int, of: Int? = nil, unit: String? = nil) {
    self.done = done
    self.of = of
    self.unit = unit
  }
}

/// Neighbours in a list that have something in common.
public struct ListSection: Codable, Sendable {
  /// What they have in common: a text, a number, true, false or null.
  public let key: RawJSON?
  /// The position in the list of the first, from 0.
  public let start: Int
  /// How many they are; null where not all of them are read.
  public let count: Int?

  /// Made of its members.
  public init(key: RawJSON?, start: Int, count: Int?) {
    self.key = key
    self.start = start
    self.count = count
  }
}

/// What is marked in a list.
public struct Marks: Codable, Sendable {
  /// How many items are marked; null where nobody knows how many there are.
  public let count: Int?
  /// Whether all are marked, but for those that are named.
  public let all: Bool
  /// The items that are marked; those that aren't, if all others are.
  public let ids: [ItemID]

  /// Made of its members.
  public init(count: Int?, all: Bool, ids: [ItemID]) {
    self.count = count
    self.all = all
    self.ids = ids
  }
}

/// A listed item with an edit that isn't finished.
public struct PendingItem: Codable, Sendable {
  /// How far the edit has come.
  public enum State: String, Codable, CaseIterable, Sendable {
    /// `sending`.
    case sending
    /// `failed`.
    case failed
  }

  /// The item's id.
  public let id: ItemID
  /// How far the edit has come.
  public let state: State

  /// Made of its members.
  public init(id: ItemID, state: State) {
    self.id = id
    self.state = state
  }
}

/// An edit that can be undone: it is listed, and the source isn't asked for it yet.
public struct UndoableEdit: Codable, Sendable {
  /// How many items the edit is of; null if nobody knows.
  public let count: Int?
  /// The input that made the edit: "remove" or "change".
  public let input: String
  /// The items; absent if all are edited.
  public let ids: [ItemID]?
  /// True if all items are edited but some.
  public let all: Bool?
  /// With "all": the items that aren't edited.
  public let except: [ItemID]?
  /// For how long the edit can be undone, from when it was made.
  public let milliseconds: Int

  /// Made of its members.
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

/// The new items before the first one that the list defers.
public struct Arrivals: Codable, Sendable {
  /// How many items are held back.
  public let count: Int

  /// Made of its members.
  public init(count: Int) {
    self.count = count
  }
}

/// Where to scroll to.
public struct ScrollTarget: Codable, Sendable {
  /// The row's position, from 0.
  public let index: Int
  /// Its item's id; null where it isn't read.
  public let id: ItemID?

  /// Made of its members.
  public init(index: Int, id: ItemID?) {
    self.index = index
    self.id = id
  }
}

/// The item that a pager shows, and what lies around it.
public struct PagerPage<Item: Codable & Sendable>: Codable, Sendable {
  /// The item's id; null where its row isn't read.
  public let id: ItemID?
  /// The item's place in the list, from 0; null where it isn't listed.
  public let index: Int?
  /// How many items are listed.
  public let count: Int
  /// The item; null where it is neither listed nor there yet.
  public let item: Item?
  /// Whether a swipe to the previous goes to an item.
  public let hasPrevious: Bool
  /// Whether a swipe to the next goes to an item.
  public let hasNext: Bool
  /// Whether the source has more items than are listed, or rows that aren't read follow.
  public let hasMore: Bool
  /// Whether the item is whole, where the screen asks for whole items: else it is the row.
  public let whole: Bool?

  /// Made of its members.
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

/// The kinds of task that every client should know, section 5.5.
public enum TaskKind: String, CaseIterable, Sendable {
  /// Tells the user something.
  case alert
  /// Asks whether to go on; true, or nothing, says yes.
  case confirm
  /// Asks for a line of text.
  case prompt
  /// Asks for one of several choices; its id is the result.
  case choose
  /// Asks for a picture; whatever the client calls it by is the result.
  case pickImage
  /// Asks the user to sign in; what proves it is the result.
  case login
}
