public import Flow
public import ItemList
public import WireJSON

/// The marks of a list, as an output.
public struct Marks: Record, Equatable, Sendable {
  /// How many items are marked; nil if all are and their number is unknown.
  public let count: Int?
  /// Whether all items are marked except ``ids``.
  public let all: Bool
  /// The marked items; if ``all`` is true, the items that aren't marked.
  public let ids: [ItemID]

  /// The fields on the wire.
  public static let fields = Fields(
    Marks.init,
    Field(nullable: "count", \.count, "The number of marked items; null if it isn't known."),
    Field("all", \.all, "Whether all items are marked except those in ids."),
    Field("ids", \.ids, "The marked items. If all is true, the items that aren't marked."))

  /// An object in which all three fields are always present.
  public static var schema: JSONSchema {
    var schema = JSONSchema(properties: fields.properties).titled("Marks").described("The marks of a list.")
    schema.properties[0].isRequired = true
    return schema
  }
}

/// The items to mark or unmark: one item, all items between two, or all. These are the parameters of `mark` and
/// `unmark`.
public struct Marking: Record, Sendable {
  /// One item; nil if others are given.
  public let id: ItemID?
  /// The item at one end of a range.
  public let from: ItemID?
  /// The item at the other end of the range.
  public let to: ItemID?
  /// True for all items that match the list's criteria, loaded or not.
  public let all: Bool?

  /// Creates parameters. Give one item, the two ends of a range, or `all`.
  public init(id: ItemID? = nil, from: ItemID? = nil, to: ItemID? = nil, all: Bool? = nil) {
    (self.id, self.from, self.to, self.all) = (id, from, to, all)
  }

  /// The fields on the wire.
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
  /// The marks of the list.
  public var marks: Marks {
    guard let marks = core.value.marks else { return Marks(count: 0, all: false, ids: []) }
    return Marks(count: core.value.markedCount, all: marks.marked.isAll, ids: marks.ids)
  }

  /// Marks items, to edit them together. Throws if an item isn't listed, or if not all items of a range are loaded. A
  /// mark stays with its item. Other criteria clear all marks.
  public mutating func mark(_ marking: Marking) throws(Refusal) { try set(marking, true) }

  /// Removes marks. Throws if an item isn't listed, or if not all items of a range are loaded.
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

  /// The items of a range, given its ends in any order.
  private func ids(_ from: ItemID, _ to: ItemID) throws(Refusal) -> [ItemID] {
    let list = core.value.shown.list
    guard let first = list.position(of: core.value.currentID(of: from)) else {
      throw Refusal("from", mustBe: "the id of a listed item", not: from)
    }
    guard let last = list.position(of: core.value.currentID(of: to)) else {
      throw Refusal("to", mustBe: "the id of a listed item", not: to)
    }
    let range = min(first, last)..<max(first, last) + 1
    guard list.unloaded(in: range).isEmpty else {
      throw Refusal("to", mustBe: "the id of an item; all rows up to it must be loaded", not: to)
    }
    return list.rows.items(in: list.rows(in: range)).map(\.itemID)
  }

  /// Removes all marked items. The source receives one edit, if it supports edits of many items, or else one edit for
  /// each item. Throws if not all marked items are loaded and the source doesn't support edits of many items.
  public mutating func removeMarked() throws(Refusal) {
    try step { (core: inout ListCore) throws(Refusal) in try core.removeMarked(Item.self) }
  }
}

extension ListCore {
  /// Whether an item can be marked: it is listed, or already marked and not being removed.
  fileprivate func canMark(_ id: ItemID) -> Bool {
    items.contains(id) || marks?.marked.names(id) == true && !edits.removes(id)
  }
}

extension Paged<RawJSON> {
  /// Sets some fields of all marked items to the values in an object. The id must not be among the fields. The marks
  /// stay.
  ///
  /// The source receives one edit, if it supports edits of many items, or else one edit for each item. Throws if not
  /// all marked items are loaded and the source doesn't support edits of many items.
  public mutating func changeMarked(_ set: RawJSON) throws(Refusal) {
    try step { (core: inout ListCore) throws(Refusal) in try core.changeMarked(set) }
  }
}
