/// Finds the splices between two versions of a list.
///
/// It goes down both trees to the lowest node that has all changes beneath it, and from there over both in the order of
/// labels. Where it meets the same node in both, it passes over it; what lies between two such nodes is a region, whose
/// items are compared one by one.
struct ItemComparison {
  private let old: ItemList
  private let new: ItemList
  private var oldCursor: ItemCursor
  private var newCursor: ItemCursor
  private var oldRegion: ItemRegion
  private var newRegion: ItemRegion
  private(set) var splices: [ItemList.Splice] = []

  init(_ old: ItemList, _ new: ItemList) {
    self.old = old
    self.new = new
    (oldCursor, newCursor) = ItemCursor.pair(old.tree, new.tree)
    oldRegion = ItemRegion(start: oldCursor.position)
    newRegion = ItemRegion(start: newCursor.position)
  }

  mutating func run() {
    while let oldNode = oldCursor.node, let newNode = newCursor.node {
      if oldNode.label < newNode.label {
        oldRegion.advance(&oldCursor)
      } else if oldNode.label > newNode.label {
        newRegion.advance(&newCursor)
      } else if oldNode.isIdentical(to: newNode) {
        ItemCursor.passShared(&oldCursor, &newCursor)
        startRegions()
      } else {
        let difference = oldNode.height - newNode.height
        if difference >= 0 { oldRegion.advance(&oldCursor) }
        if difference <= 0 { newRegion.advance(&newCursor) }
      }
    }
    while oldCursor.node != nil { oldRegion.advance(&oldCursor) }
    while newCursor.node != nil { newRegion.advance(&newCursor) }
    closeRegions()
  }

  /// Compares the regions gathered so far, and starts others where the cursors stand.
  private mutating func startRegions() {
    closeRegions()
    oldRegion = ItemRegion(start: oldCursor.position)
    newRegion = ItemRegion(start: newCursor.position)
  }

  /// Compares the regions gathered so far, from both ends first.
  private mutating func closeRegions() {
    guard oldRegion.count > 0 || newRegion.count > 0 else { return }
    let prefix = ItemRegion.commonPrefix(oldRegion, newRegion)
    let longest = min(oldRegion.count, newRegion.count) - prefix
    let suffix = ItemRegion.commonSuffix(oldRegion, newRegion, atMost: longest)
    align(
      oldRegion.start + prefix..<oldRegion.start + oldRegion.count - suffix,
      newRegion.start + prefix..<newRegion.start + newRegion.count - suffix)
  }

  /// Goes through two ranges side by side. Items with one id stay; of those that changed places the one that has to
  /// go a shorter way waits, the other goes or comes.
  private mutating func align(_ oldRange: Range<Int>, _ newRange: Range<Int>) {
    var (oldRest, newRest) = (oldRange, newRange)
    if !oldRest.isEmpty, !newRest.isEmpty {
      var oldItems = oldRegion.items(from: oldRest.lowerBound - oldRegion.start)
      var newItems = newRegion.items(from: newRest.lowerBound - newRegion.start)
      var (oldItem, newItem) = (oldItems.next(), newItems.next())
      while !oldRest.isEmpty, !newRest.isEmpty, let before = oldItem, let after = newItem {
        let isSame = before.hasSameID(as: after)
        let isInsertion = !isSame && comesFirst(after, in: newRest, before, in: oldRest)
        let oldItemsDone = isInsertion ? 0 : 1
        let newItemsDone = isSame || isInsertion ? 1 : 0
        if !isSame || !before.hasSameBytes(as: after) {
          replace(oldRest.prefix(oldItemsDone), with: newRest.prefix(newItemsDone))
        }
        if oldItemsDone > 0 { oldItem = oldItems.next() }
        if newItemsDone > 0 { newItem = newItems.next() }
        oldRest = oldRest.dropFirst(oldItemsDone)
        newRest = newRest.dropFirst(newItemsDone)
      }
    }
    replace(oldRest, with: newRest)
  }

  /// Whether, of two items with different ids where both lists have come to, the new one is to be inserted, and not
  /// the old one deleted.
  private func comesFirst(
    _ after: ItemList.Item, in newRest: Range<Int>, _ before: ItemList.Item, in oldRest: Range<Int>
  )
    -> Bool
  {
    guard let oldPosition = old.index(ofRawID: after.rawID.span), oldRest.contains(oldPosition) else { return true }
    guard let newPosition = new.index(ofRawID: before.rawID.span), newRest.contains(newPosition) else { return false }
    return newPosition - newRest.lowerBound < oldPosition - oldRest.lowerBound
  }

  /// Notes a splice, as a part of the last one where they touch.
  private mutating func replace(_ oldRange: Range<Int>, with newRange: Range<Int>) {
    guard !oldRange.isEmpty || !newRange.isEmpty else { return }
    if let last = splices.last, last.items.upperBound == newRange.lowerBound {
      splices[splices.count - 1] = ItemList.Splice(
        start: last.start, deleteCount: last.deleteCount + oldRange.count,
        items: last.start..<newRange.upperBound)
    } else {
      splices.append(
        ItemList.Splice(start: newRange.lowerBound, deleteCount: oldRange.count, items: newRange))
    }
  }
}
