public import Nagare

/// What the user has put into a list or taken out of it, and how to undo it.
///
/// An edit holds against whatever an older answer of the source says: one that was asked for before the source had taken
/// the edit. A removed item stays out until a refresh that was asked for later; an inserted one comes back if such an
/// answer has taken its place.
struct ListEdits {
  private enum Undo {
    case takeOut
    case putBack(ItemList.Item, at: Int, before: ItemID?)
    case restore(ItemList.Item)
  }

  private struct Made {
    let edit: ListEdit
    /// Nil where there is nothing to undo: the source has meanwhile said what is true.
    var undo: Undo?
    /// How many loads had begun when the source had taken it; nil before it has.
    var loadsBefore: Int?
  }

  /// The newest edit of each item.
  private var made: [ItemID: Made] = [:]
  private(set) var newest: ListEdit?

  /// Puts an item in, or in the place of the one with its id.
  mutating func insert(_ item: ItemList.Item, before next: ItemID?, into items: inout ItemList) {
    guard let id = ItemID(item.id) else { return }
    let edit = ListEdit(number: number, id: id, change: .insertion(item, before: next))
    let undo = items.item(withID: id).map(Undo.restore) ?? .takeOut
    items.insert(item, at: next.flatMap { items.index(of: $0) } ?? 0)
    note(Made(edit: edit, undo: undo))
  }

  /// Takes an item out, if it is listed.
  mutating func remove(_ id: ItemID, from items: inout ItemList) {
    guard let undo = takeOut(id, of: &items) else { return }
    note(Made(edit: ListEdit(number: number, id: id, change: .removal), undo: undo))
  }

  /// The source has taken an edit, or there is none to ask.
  ///
  /// - Parameters:
  ///   - edit: the edit.
  ///   - loads: how many loads have begun.
  ///   - isReplacing: whether a first page is awaited.
  mutating func settle(_ edit: ListEdit, loads: Int, isReplacing: Bool) {
    guard made[edit.id]?.edit == edit else { return }
    made[edit.id]?.loadsBefore = loads
    if !isReplacing, !edit.isRemoval { made[edit.id] = nil }
  }

  /// The source has refused an edit: it is undone.
  mutating func undo(_ edit: ListEdit, in items: inout ItemList) {
    guard let last = made[edit.id] else { return }
    guard last.edit == edit else {
      // What was never in the source can't be put back.
      if !edit.isRemoval, last.edit.isRemoval { made[edit.id]?.undo = nil }
      return
    }
    made[edit.id] = nil
    switch last.undo {
    case nil: break
    case .takeOut: items.remove(edit.id)
    case .restore(let item): items.replace(item)
    case .putBack(let item, let index, let next):
      items.insert(item, at: next.flatMap { items.index(of: $0) } ?? min(index, items.count))
    }
  }

  /// The items are gone: nothing of them is left to undo.
  mutating func forgetItems() {
    for id in made.keys { made[id]?.undo = nil }
  }

  /// Carries out again what a page that has come doesn't know.
  ///
  /// - Parameters:
  ///   - page: its items, which are listed already.
  ///   - load: the load's number.
  ///   - isFirst: whether they have taken the place of all others.
  ///   - items: the list.
  mutating func reapply(over page: RawItems, of load: Int, isFirst: Bool, to items: inout ItemList) {
    guard !made.isEmpty else { return }
    if isFirst {
      made = made.filter { load <= $0.value.loadsBefore ?? load }
      forgetItems()
    }
    for index in 0..<page.count {
      let id = page.id(at: index)
      guard let known = made[id] else { continue }
      let undo = known.edit.isRemoval ? takeOut(id, of: &items) : nil
      made[id]?.undo = undo
    }
    guard isFirst else { return }
    for made in made.values.sorted(by: { $0.edit.number < $1.edit.number }) {
      guard case .insertion(let item, let next) = made.edit.change, !items.contains(made.edit.id) else { continue }
      items.insert(item, at: next.flatMap { items.index(of: $0) } ?? 0)
      self.made[made.edit.id]?.undo = .takeOut
    }
  }

  private var number: Int { (newest?.number ?? 0) + 1 }

  private mutating func note(_ edit: Made) {
    made[edit.edit.id] = edit
    newest = edit.edit
  }

  private func takeOut(_ id: ItemID, of items: inout ItemList) -> Undo? {
    guard let index = items.index(of: id) else { return nil }
    let item = items[index]
    let next = index + 1 < items.count ? ItemID(items[index + 1].id) : nil
    items.remove(id)
    return .putBack(item, at: index, before: next)
  }
}

/// One edit that a user has made, as the source is to make it.
public struct ListEdit: Equatable {
  /// What is done to the item.
  public enum Change {
    /// It is new, and stands before another, or first where that isn't listed.
    case insertion(ItemList.Item, before: ItemID?)
    /// It is gone.
    case removal
  }

  /// Which of the list's edits it is, counted from 1.
  public let number: Int
  /// Which item.
  public let id: ItemID
  /// What is done to it.
  public let change: Change

  /// Whether the item is taken out.
  public var isRemoval: Bool { if case .removal = change { true } else { false } }

  /// Whether two are the same edit.
  public static func == (left: ListEdit, right: ListEdit) -> Bool { left.number == right.number }
}
