/// The items of a list, kept by the changes that come.
///
/// It never changes: a changed one shares all but what changed with the one before. So an old one stays as it was while
/// somebody goes through it, and a change of 100,000 items costs no more than some microseconds and what was put in.
public struct Rows<Element: Sendable>: Sendable {
  /// The most items of a leaf.
  private static var leafSize: Int { 512 }

  private var leaves: [[Element]] = []
  /// Where each leaf ends, counted from the start of the list.
  private var ends: [Int] = []

  /// No items.
  public init() {}

  /// Items in their order.
  ///
  /// - Parameter items: the items.
  public init(_ items: some Sequence<Element>) {
    leaves = Rows.split(Array(items))
    countEnds(from: 0)
  }

  /// Puts items in the place of others.
  ///
  /// - Returns: false if there are no such items; nothing has changed then.
  mutating func splice(_ start: Int, _ deleteCount: Int, _ items: [Element]) -> Bool {
    guard start >= 0, deleteCount >= 0, start <= count, deleteCount <= count - start else { return false }
    let end = start + deleteCount
    guard !leaves.isEmpty else {
      self = Rows(items)
      return true
    }
    var first = Swift.min(leaf(of: start), leaves.count - 1)
    var last = Swift.max(first, Swift.min(leaf(of: end), leaves.count - 1))
    if last > first, begin(last) >= end { last -= 1 }
    var middle = Array(leaves[first].prefix(start - begin(first)))
    middle.append(contentsOf: items)
    middle.append(contentsOf: leaves[last].dropFirst(end - begin(last)))
    // What is left too small joins a neighbour, so that the leaves stay few.
    if middle.count < Rows.leafSize / 2 {
      if first > 0 {
        first -= 1
        middle = leaves[first] + middle
      } else if last + 1 < leaves.count {
        last += 1
        middle += leaves[last]
      }
    }
    leaves.replaceSubrange(first...last, with: Rows.split(middle))
    countEnds(from: first)
    return true
  }

  /// Leaves of about equal size.
  private static func split(_ items: [Element]) -> [[Element]] {
    guard items.count > leafSize else { return items.isEmpty ? [] : [items] }
    let count = (items.count + leafSize - 1) / leafSize
    return (0..<count).map { Array(items[items.count * $0 / count..<items.count * ($0 + 1) / count]) }
  }

  private mutating func countEnds(from first: Int) {
    ends.removeSubrange(first...)
    ends.reserveCapacity(leaves.count)
    var end = ends.last ?? 0
    for leaf in leaves[first...] {
      end += leaf.count
      ends.append(end)
    }
  }

  private func begin(_ leaf: Int) -> Int { leaf == 0 ? 0 : ends[leaf - 1] }

  /// The first leaf that ends after a position.
  private func leaf(of position: Int) -> Int {
    var (low, high) = (0, ends.count)
    while low < high {
      let middle = (low + high) / 2
      if ends[middle] <= position { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension Rows: RandomAccessCollection {
  /// 0.
  public var startIndex: Int { 0 }
  /// How many items there are.
  public var endIndex: Int { ends.last ?? 0 }

  /// The item at a position.
  ///
  /// - Parameter position: from 0; there must be an item.
  public subscript(position: Int) -> Element {
    precondition(indices.contains(position), "\(count) rows have none at \(position)")
    let leaf = leaf(of: position)
    return leaves[leaf][position - begin(leaf)]
  }

  /// Goes through the items from first to last.
  public func makeIterator() -> FlattenSequence<[[Element]]>.Iterator { leaves.joined().makeIterator() }
}

extension Rows: Equatable where Element: Equatable {
  /// Whether two lists hold equal items in the same order.
  public static func == (left: Rows, right: Rows) -> Bool { left.elementsEqual(right) }
}

extension Rows: CustomStringConvertible {
  /// The items, as an array shows them.
  public var description: String { String(describing: Array(self)) }
}
