internal import ItemList

/// A set of items: either the named items, or all items except the named ones.
struct MarkSet {
  /// Whether the set has all items except the named ones.
  private(set) var isAll = false
  /// The named items, in the order in which they were named.
  private(set) var ids: [ItemID] = []
  private var known: Set<ItemID> = []

  /// Creates a set of no items, or of all items.
  init(isAll: Bool = false) { self.isAll = isAll }

  var isEmpty: Bool { !isAll && ids.isEmpty }

  func names(_ id: ItemID) -> Bool { known.contains(id) }

  /// Whether the set contains an item.
  func contains(_ id: ItemID) -> Bool { names(id) != isAll }

  /// Adds items to the set or removes them from it.
  mutating func set(_ ids: [ItemID], _ isMarked: Bool) {
    if isMarked == isAll {
      drop(Set(ids))
    } else {
      self.ids += ids.filter { known.insert($0).inserted }
    }
  }

  /// Changes the id of a named item.
  mutating func rename(_ old: ItemID, to new: ItemID) {
    guard known.remove(old) != nil else { return }
    ids = ids.filter { $0 != new }.map { $0 == old ? new : $0 }
    known.insert(new)
  }

  /// Removes items from the named ones.
  mutating func drop(_ ids: Set<ItemID>) { keep { !ids.contains($0) } }

  /// Keeps only the named items that meet a condition.
  mutating func keep(where isKept: (ItemID) -> Bool) {
    let kept = ids.filter(isKept)
    if kept.count < ids.count { (ids, known) = (kept, Set(kept)) }
  }

  /// Adds all items of another set.
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
