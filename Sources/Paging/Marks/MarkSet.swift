internal import ItemList

/// Some items, or all but some.
struct MarkSet {
  /// Whether all are meant but those that are named.
  private(set) var isAll = false
  /// Those that are named, in the order in which they were.
  private(set) var ids: [ItemID] = []
  private var known: Set<ItemID> = []

  /// None, or all.
  init(isAll: Bool = false) { self.isAll = isAll }

  var isEmpty: Bool { !isAll && ids.isEmpty }

  func names(_ id: ItemID) -> Bool { known.contains(id) }

  /// Whether an item is meant.
  func contains(_ id: ItemID) -> Bool { names(id) != isAll }

  /// Takes items in or leaves them out.
  mutating func set(_ ids: [ItemID], _ isMarked: Bool) {
    if isMarked == isAll {
      drop(Set(ids))
    } else {
      self.ids += ids.filter { known.insert($0).inserted }
    }
  }

  /// Gives a named item another id.
  mutating func rename(_ old: ItemID, to new: ItemID) {
    guard known.remove(old) != nil else { return }
    ids = ids.filter { $0 != new }.map { $0 == old ? new : $0 }
    known.insert(new)
  }

  /// Names some items no more.
  mutating func drop(_ ids: Set<ItemID>) { keep { !ids.contains($0) } }

  /// Names those alone for which something holds.
  mutating func keep(where isKept: (ItemID) -> Bool) {
    let kept = ids.filter(isKept)
    if kept.count < ids.count { (ids, known) = (kept, Set(kept)) }
  }

  /// Takes in what another set means.
  mutating func unite(_ other: MarkSet) {
    switch (isAll, other.isAll) {
    case (_, false): set(other.ids, true)
    case (true, true): keep(where: other.names)
    case (false, true):
      let own = ids
      self = other
      set(own, true)
    }
  }
}
