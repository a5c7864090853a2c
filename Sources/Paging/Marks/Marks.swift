public import Flow
public import ItemList
public import WireJSON

/// What is marked in a list.
public struct Marks: Record, Equatable, Sendable {
  /// How many items; nil where all are and nobody knows how many those are.
  public let count: Int?
  /// Whether all are, but for ``ids``.
  public let all: Bool
  /// The items that are marked; those that aren't, if all others are.
  public let ids: [ItemID]

  /// Its members on the wire.
  public static let fields = Fields(
    Marks.init,
    Field(nullable: "count", \.count, "The number of marked items; null if it isn't known."),
    Field("all", \.all, "Whether all items are marked except those in ids."),
    Field("ids", \.ids, "The marked items. If all is true, the items that aren't marked."))

  /// An object with all three members.
  public static var schema: JSONSchema {
    var schema = JSONSchema(properties: fields.properties).titled("Marks").described("The marks of a list.")
    schema.properties[0].isRequired = true
    return schema
  }
}

/// What is to be marked, or not: an item, those between two, or all. It is the parameters of `mark` and `unmark`.
public struct Marking: Record, Sendable {
  /// An item; nil if others are named.
  public let id: ItemID?
  /// An item at one end of neighbours.
  public let from: ItemID?
  /// An item at their other end.
  public let to: ItemID?
  /// True for all that is looked for.
  public let all: Bool?

  /// An item, those between two, or all.
  public init(id: ItemID? = nil, from: ItemID? = nil, to: ItemID? = nil, all: Bool? = nil) {
    (self.id, self.from, self.to, self.all) = (id, from, to, all)
  }

  /// Its members on the wire.
  public static let fields = Fields(
    Marking.init,
    Field("id", \.id, "The item."),
    Field("from", \.from, "With \"to\", in place of an id: the item at one end of a range. It belongs to the range."),
    Field(
      "to", \.to,
      "The item at the other end of the range. It may come before or after \"from\", and belongs to the range."),
    Field("all", \.all, "In place of an id: true for all items of the list, whether or not they are loaded."))
}

extension Paged {
  /// What the user has marked.
  public var marks: Marks {
    guard let marks = core.value.marks else { return Marks(count: 0, all: false, ids: []) }
    return Marks(count: core.value.markedCount, all: marks.marked.isAll, ids: marks.ids)
  }

  /// Marks items, so that edits may be made of all of them; refuses what isn't there, or not read. A mark stays with
  /// its item; another query or other filters clear all.
  public mutating func mark(_ marking: Marking) throws(Refusal) { try set(marking, true) }

  /// Takes marks away; refuses what isn't there, or not read.
  public mutating func unmark(_ marking: Marking) throws(Refusal) { try set(marking, false) }

  private mutating func set(_ marking: Marking, _ isMarked: Bool) throws(Refusal) {
    switch (marking.id, marking.from, marking.to, marking.all) {
    case (let id?, nil, nil, nil):
      let id = core.value.currentID(of: id)
      guard core.value.canMark(id) else {
        throw Refusal("id", mustBe: "the id of a listed item", not: id)
      }
      step { $0.marks?.set([id], isMarked, $0.criteria) }
    case (nil, let from?, let to?, nil):
      let ids = try ids(from, to)
      step { $0.marks?.set(ids, isMarked, $0.criteria) }
    case (nil, nil, nil, true?): step { $0.marks?.setAll(isMarked, $0.criteria) }
    default:
      throw Refusal(
        "id", mustBe: "the id of an item, or in its place \"from\" and \"to\", or \"all\": true", not: marking)
    }
  }

  /// The items from one to another, whichever comes first.
  private func ids(_ from: ItemID, _ to: ItemID) throws(Refusal) -> [ItemID] {
    let list = core.value.shown.list
    guard let first = list.position(of: core.value.currentID(of: from)) else {
      throw Refusal("from", mustBe: "the id of a listed item", not: from)
    }
    guard let last = list.position(of: core.value.currentID(of: to)) else {
      throw Refusal("to", mustBe: "the id of a listed item", not: to)
    }
    let range = min(first, last)..<max(first, last) + 1
    guard list.unread(in: range).isEmpty else {
      throw Refusal("to", mustBe: "the id of an item up to which all rows are loaded", not: to)
    }
    return list.rows.items(in: list.rows(in: range)).map(\.itemID)
  }

  /// Takes all out that is marked, as one edit where the source takes such, else one by one. It refuses if not all of
  /// it is read and the source takes no edits of many.
  public mutating func removeMarked() throws(Refusal) {
    try step { (core: inout ListCore) throws(Refusal) in try core.removeMarked(Item.self) }
  }
}

extension ListCore {
  /// Whether an item is listed, or marked and not being removed.
  fileprivate func canMark(_ id: ItemID) -> Bool {
    items.contains(id) || marks?.marked.names(id) == true && !edits.removes(id)
  }
}

extension Paged<RawJSON> {
  /// Gives all that is marked the members of an object, each in the place of the item's own of that name, as one edit
  /// where the source takes such, else one by one. The id isn't among them. The marks stay. It refuses if not all of it
  /// is read and the source takes no edits of many.
  public mutating func changeMarked(_ set: RawJSON) throws(Refusal) {
    try step { (core: inout ListCore) throws(Refusal) in try core.changeMarked(set) }
  }
}
