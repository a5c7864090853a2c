internal import WireJSON

/// The items of a page that are new to a list, on their way into its first or last leaf and new leaves beside it.
///
/// Which leaf each goes to is settled as it arrives, so that the index learns of it at once and an id that stands
/// twice in the page is found like any other.
struct ItemArrivals {
  private let buffer: [UInt8]
  let atEnd: Bool
  private(set) var entries = ContiguousArray<ItemEntry>()
  /// The leaves that take arrivals, and where in `entries` each one's begin.
  private var leaves = ContiguousArray<(number: UInt32, label: Int64, start: Int)>()
  /// How many more the last of them takes.
  private var room = 0
  private var nextLabel: Int64
  /// The distance between the labels of the leaves.
  private let gap: Int64

  /// Makes room for arrivals.
  ///
  /// - Parameters:
  ///   - buffer: The page's bytes.
  ///   - count: How many may arrive.
  ///   - edge: The leaf at that end of the list.
  ///   - label: The label of the first new leaf.
  ///   - gap: The distance between the labels of new leaves.
  ///   - atEnd: Whether they go to the end of the list, or to its front.
  init(in buffer: [UInt8], count: Int, beside edge: ItemLeafPlace?, firstLabel label: Int64, gap: Int64, atEnd: Bool) {
    self.buffer = buffer
    self.gap = gap
    self.atEnd = atEnd
    nextLabel = label
    entries.reserveCapacity(count)
    leaves.reserveCapacity(count / ItemLeaf.capacity + 2)
    if let edge, edge.leaf.count + (atEnd ? 1 : count) <= ItemLeaf.capacity {
      leaves.append((edge.number, edge.label, 0))
      room = ItemLeaf.capacity - edge.leaf.count
    }
  }

  /// Takes in one more.
  ///
  /// - Parameters:
  ///   - entry: The item.
  ///   - table: The index's table, which gives out the numbers of new leaves.
  /// - Returns: The number of the leaf that the item will be in.
  @inline(__always)
  mutating func append(_ entry: ItemEntry, _ table: inout ItemTable) -> UInt32 {
    if room == 0 {
      leaves.append((table.number(ofLeafAt: nextLabel), nextLabel, entries.count))
      nextLabel &+= gap
      room = ItemLeaf.capacity
    }
    room -= 1
    entries.append(entry)
    return leaves[leaves.count - 1].number
  }

  /// Puts an entry in the place of that with its id.
  ///
  /// - Parameters:
  ///   - entry: The entry.
  ///   - label: The label of the leaf where the other is to be.
  /// - Returns: Whether there is one.
  mutating func replace(with entry: ItemEntry, inLeafAt label: Int64) -> Bool {
    guard let first = leaves.first?.label, label >= first else { return false }
    let distance = UInt64(bitPattern: label &- first) / UInt64(gap)
    guard distance < leaves.count, leaves[Int(distance)].label == label else { return false }
    let leaf = Int(distance)
    let buffer = buffer
    let bytes = buffer.span
    let id = bytes.extracting(entry.idRange)
    let known = range(ofLeaf: leaf).first { position in
      entries[position].tag == entry.tag && ItemID.equal(bytes.extracting(entries[position].idRange), id)
    }
    guard let known else { return false }
    entries[known] = entry
    return true
  }

  /// Makes the leaves.
  ///
  /// - Parameter edge: The leaf at that end of the list.
  /// - Returns: The leaves with the arrivals and the one that was there, in their order.
  func nodes(beside edge: ItemLeafPlace?) -> ContiguousArray<ItemNode> {
    var nodes = ContiguousArray<ItemNode>()
    nodes.reserveCapacity(leaves.count + 1)
    for position in leaves.indices {
      let (leaf, arrivals) = (leaves[position], entries[range(ofLeaf: position)])
      let items = edge.flatMap { $0.label == leaf.label ? $0.leaf : nil }
      nodes.append(ItemNode(merge(arrivals, with: items), label: leaf.label, number: leaf.number))
    }
    if let edge, leaves[0].label != edge.label {
      nodes.insert(ItemNode(edge.leaf, label: edge.label, number: edge.number), at: atEnd ? 0 : nodes.count)
    }
    return nodes
  }

  private func merge(_ arrivals: ContiguousArray<ItemEntry>.SubSequence, with leaf: ItemLeaf?) -> ItemLeaf {
    var items = ItemLeafBuilder(capacity: arrivals.count + (leaf?.count ?? 0))
    if atEnd, let leaf { items.append(leaf) }
    items.append(arrivals, in: buffer)
    if !atEnd, let leaf { items.append(0..<leaf.count, of: leaf) }
    return items.leaf
  }

  private func range(ofLeaf leaf: Int) -> Range<Int> {
    leaves[leaf].start..<(leaf + 1 < leaves.count ? leaves[leaf + 1].start : entries.count)
  }
}
