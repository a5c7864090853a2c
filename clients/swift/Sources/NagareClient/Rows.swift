/// The items of a list.
///
/// A copy shares all unchanged items with the original, in leaves. So iterating over an old value stays safe, and
/// changing a list of 100,000 items takes some microseconds, plus the time to copy the inserted items.
public struct Rows<Element: Sendable>: Sendable {
  /// The maximum number of items in a leaf.
  private static var leafSize: Int { 512 }

  private var leaves: [[Element]] = []
  /// The position after the last item of each leaf.
  private var ends: [Int] = []

  /// Creates an empty list.
  public init() {}

  /// Creates a list.
  ///
  /// - Parameter items: the items, in order.
  public init(_ items: some Sequence<Element>) {
    leaves = Rows.split(Array(items))
    countEnds(from: 0)
  }

  /// Replaces items by others.
  ///
  /// - Returns: false if the list doesn't have the items to replace. Then nothing changes.
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
    // Joins a small rest with a neighbour, so that there are few leaves.
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

  /// Splits items into leaves of about equal size.
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

  /// Returns the index of the leaf that contains a position.
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
  /// The first position, 0.
  public var startIndex: Int { 0 }
  /// The number of items.
  public var endIndex: Int { ends.last ?? 0 }

  /// The item at a position.
  ///
  /// - Parameter position: the position, from 0; must be less than `count`.
  public subscript(position: Int) -> Element {
    precondition(indices.contains(position), "\(count) rows have none at \(position)")
    let leaf = leaf(of: position)
    return leaves[leaf][position - begin(leaf)]
  }

  /// Returns an iterator over the items.
  public func makeIterator() -> FlattenSequence<[[Element]]>.Iterator { leaves.joined().makeIterator() }
}

extension Rows: Equatable where Element: Equatable {
  /// Whether two lists have equal items in the same order.
  public static func == (left: Rows, right: Rows) -> Bool { left.elementsEqual(right) }
}

extension Rows: CustomStringConvertible {
  /// The items in the format of an array.
  public var description: String { String(describing: Array(self)) }
}
