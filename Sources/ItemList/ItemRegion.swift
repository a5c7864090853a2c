/// Neighbouring leaves of one version that the other doesn't share.
struct ItemRegion {
  /// The position of the first item.
  let start: Int
  private(set) var count = 0
  private var leaves = ContiguousArray<ItemLeaf>()

  init(start: Int) {
    self.start = start
  }

  /// Takes in the node at a cursor if it is a leaf; else goes on to its children.
  mutating func advance(_ cursor: inout ItemCursor) {
    if case .leaf(let leaf) = cursor.node?.body {
      leaves.append(leaf)
      count += leaf.count
    }
    cursor.enter()
  }

  /// Goes through the items from an offset on.
  func items(from offset: Int) -> Items { Items(leaves: leaves[...], offset: offset) }

  /// The items of a region in their order.
  struct Items: IteratorProtocol {
    fileprivate var leaves: ContiguousArray<ItemLeaf>.SubSequence
    /// The next item's offset from the start of those leaves.
    fileprivate var offset: Int

    mutating func next() -> ItemList.Item? {
      while let leaf = leaves.first {
        if offset < leaf.count {
          offset += 1
          return leaf.item(at: offset - 1)
        }
        offset -= leaf.count
        leaves = leaves.dropFirst()
      }
      return nil
    }
  }

  /// How many items are the same from the front.
  static func commonPrefix(_ old: ItemRegion, _ new: ItemRegion) -> Int {
    var prefix = 0
    var (oldStart, newStart) = (0, 0)
    var (oldLeaves, newLeaves) = (old.leaves[...], new.leaves[...])
    while let oldLeaf = oldLeaves.first, let newLeaf = newLeaves.first {
      let longest = min(oldLeaf.count - oldStart, newLeaf.count - newStart)
      var length = oldLeaf === newLeaf && oldStart == newStart ? longest : 0
      while length < longest, oldLeaf.hasSameItem(at: oldStart + length, as: newLeaf, at: newStart + length) {
        length += 1
      }
      prefix += length
      if length < longest { break }
      oldStart += length
      newStart += length
      if oldStart == oldLeaf.count { (oldLeaves, oldStart) = (oldLeaves.dropFirst(), 0) }
      if newStart == newLeaf.count { (newLeaves, newStart) = (newLeaves.dropFirst(), 0) }
    }
    return prefix
  }

  /// How many items are the same from the back, up to a number.
  static func commonSuffix(_ old: ItemRegion, _ new: ItemRegion, atMost limit: Int) -> Int {
    var suffix = 0
    var (oldEnd, newEnd) = (0, 0)
    var (oldLeaves, newLeaves) = (old.leaves[...], new.leaves[...])
    while suffix < limit, let oldLeaf = oldLeaves.last, let newLeaf = newLeaves.last {
      let longest = min(oldLeaf.count - oldEnd, newLeaf.count - newEnd, limit - suffix)
      var length = oldLeaf === newLeaf && oldEnd == newEnd ? longest : 0
      while length < longest,
        oldLeaf.hasSameItem(
          at: oldLeaf.count - oldEnd - length - 1, as: newLeaf, at: newLeaf.count - newEnd - length - 1)
      {
        length += 1
      }
      suffix += length
      if length < longest { break }
      oldEnd += length
      newEnd += length
      if oldEnd == oldLeaf.count { (oldLeaves, oldEnd) = (oldLeaves.dropLast(), 0) }
      if newEnd == newLeaf.count { (newLeaves, newEnd) = (newLeaves.dropLast(), 0) }
    }
    return suffix
  }
}
