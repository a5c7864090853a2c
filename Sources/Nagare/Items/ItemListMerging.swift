import WireJSON

/// The items of a page that are new to a list, on their way into its first or last leaf and new leaves beside it.
///
/// Which leaf each goes to is settled as it arrives, so that the index learns of it at once and an id that stands
/// twice in the page is found like any other.
struct ItemArrivals {
  let buffer: [UInt8]
  let atEnd: Bool
  private(set) var entries = ContiguousArray<ItemEntry>()
  /// The items in the leaf that takes the first arrivals; a leaf's capacity where none has room.
  private let filled: Int
  private let edgeNumber: UInt32
  private let nextNumber: UInt32

  /// - Parameters:
  ///   - buffer: The page's bytes.
  ///   - count: How many may arrive.
  ///   - list: The list that they are for.
  ///   - atEnd: Whether they go to its end, or to its front.
  init(in buffer: [UInt8], count: Int, of list: ItemList, atEnd: Bool) {
    self.buffer = buffer
    self.atEnd = atEnd
    entries.reserveCapacity(count)
    nextNumber = list.index.table.nextNumber
    let edge = list.tree.edge(atEnd: atEnd)
    edgeNumber = edge?.number ?? 0
    let edgeCount = edge?.leaf.count ?? ItemLeaf.capacity
    filled = atEnd || edgeCount + count <= ItemLeaf.capacity ? edgeCount : ItemLeaf.capacity
  }

  /// Takes in one more and returns the number of the leaf that it will be in.
  mutating func append(_ entry: ItemEntry) -> UInt32 {
    let leaf = (filled + entries.count) / ItemLeaf.capacity
    entries.append(entry)
    return leaf == 0 ? edgeNumber : nextNumber + UInt32(leaf - 1)
  }

  /// Puts an entry in the place of that with its id.
  ///
  /// - Parameters:
  ///   - entry: The entry.
  ///   - number: The number of the leaf where the other is to be.
  /// - Returns: Whether there is one.
  mutating func replace(with entry: ItemEntry, inLeaf number: UInt32) -> Bool {
    guard number == edgeNumber || number >= nextNumber else { return false }
    let leaf = number == edgeNumber ? 0 : Int(number - nextNumber) + 1
    let buffer = buffer
    let bytes = buffer.span
    let id = bytes.extracting(entry.idRange)
    let known = range(ofLeaf: leaf).first { position in
      entries[position].tag == entry.tag && RawID.equal(bytes.extracting(entries[position].idRange), id)
    }
    guard let known else { return false }
    entries[known] = entry
    return true
  }

  /// How many leaves are new.
  var newLeaves: Int { (filled + entries.count + ItemLeaf.capacity - 1) / ItemLeaf.capacity - 1 }

  /// The leaves, in their order, the one that was there included if it changes.
  ///
  /// - Parameters:
  ///   - edge: The leaf at that end of the list.
  ///   - label: The label of the first new leaf.
  ///   - table: The index's table, which gives out the new leaves' numbers.
  func leaves(beside edge: ItemLeafPlace?, firstLabel label: Int64, table: inout ItemTable) -> ContiguousArray<ItemNode>
  {
    var leaves = ContiguousArray<ItemNode>()
    if filled < ItemLeaf.capacity, let edge {
      leaves.append(ItemNode(merged(with: edge.leaf), label: edge.label, number: edge.number))
    }
    for leaf in 0..<newLeaves {
      let range = range(ofLeaf: leaf + 1)
      var builder = ItemLeafBuilder(capacity: range.count)
      builder.append(entries[range], in: buffer)
      let label = label + table.gap * Int64(leaf)
      leaves.append(ItemNode(builder.leaf, label: label, number: table.addLeaf(label: label)))
    }
    if filled == ItemLeaf.capacity, let edge {
      let node = ItemNode(edge.leaf, label: edge.label, number: edge.number)
      leaves.insert(node, at: atEnd ? 0 : leaves.count)
    }
    return leaves
  }

  private func merged(with leaf: ItemLeaf) -> ItemLeaf {
    let arrivals = entries[range(ofLeaf: 0)]
    if atEnd {
      var builder = ItemLeafBuilder(leaf, capacity: leaf.count + arrivals.count)
      builder.append(arrivals, in: buffer)
      return builder.leaf
    }
    var builder = ItemLeafBuilder(capacity: leaf.count + arrivals.count)
    builder.append(arrivals, in: buffer)
    builder.append(0..<leaf.count, of: leaf)
    return builder.leaf
  }

  /// Which arrivals go to a leaf, 0 being the one that was there. None go to a leaf that a version which shares the index
  /// has meant to make.
  private func range(ofLeaf leaf: Int) -> Range<Int> {
    let start = leaf * ItemLeaf.capacity - filled
    return (start..<start + ItemLeaf.capacity).clamped(to: 0..<entries.count)
  }
}

extension ItemList {
  mutating func merge(_ page: RawItems, atEnd: Bool) -> Merged {
    reserve(page.slices.count)
    var arrivals = ItemArrivals(in: page.bytes, count: page.slices.count, of: self, atEnd: atEnd)
    var merged = Merged()
    var replaced = Set<Int>()

    /// Puts an item in the place of that with its id, if it is in the leaf.
    func replace(with entry: ItemEntry, at position: Int, inLeaf number: UInt32, label: Int64) -> Bool {
      if arrivals.replace(with: entry, inLeaf: number) {
        merged.repeated.append(position)
        return true
      }
      guard let place = tree.place(label: label),
        let offset = place.leaf.offset(ofID: page.bytes.span.extracting(entry.idRange), tag: entry.tag)
      else { return false }
      self.replace(at: offset, in: place, with: Item(buffer: page.bytes, entry: entry))
      if !replaced.insert(place.start + offset).inserted { merged.repeated.append(position) }
      return true
    }

    /// Takes in all items in one access to the shared table.
    func takeAll(_ table: inout ItemTable) {
      let (bytes, slices) = (page.bytes.span, page.slices.span)
      next: for position in slices.indices {
        let hash = RawID.hash(bytes.extracting(slices[position].idRange))
        let entry = ItemEntry(slices[position], hash: hash)
        var search = table.search(for: hash)
        while let number = table.nextLeaf(&search) {
          let label = table.label(ofLeaf: number)
          if replace(with: entry, at: position, inLeaf: number, label: label) { continue next }
        }
        table.insert(arrivals.append(entry), at: search)
      }
    }

    takeAll(&index.table)
    merged.added = arrivals.entries.count
    merged.replaced = replaced.count
    add(arrivals)
    return merged
  }

  /// Puts new items into the tree; the index has their hashes already.
  mutating func add(_ arrivals: ItemArrivals) {
    guard !arrivals.entries.isEmpty else { return }
    func firstLabel(beside edge: ItemLeafPlace) -> Int64? {
      index.table.firstLabel(of: arrivals.newLeaves, beside: edge.label, atEnd: arrivals.atEnd)
    }
    if let edge = tree.edge(atEnd: arrivals.atEnd), firstLabel(beside: edge) == nil {
      relabel(reserving: arrivals.newLeaves)
    }
    guard let edge = tree.edge(atEnd: arrivals.atEnd) else {
      tree = ItemTree(arrivals.leaves(beside: nil, firstLabel: 0, table: &index.table))
      return
    }
    let leaves = arrivals.leaves(beside: edge, firstLabel: firstLabel(beside: edge) ?? 0, table: &index.table)
    if leaves.count == 1 {
      tree.replace(leaves[0])
    } else {
      tree.replace(leafAt: edge.label, with: leaves)
    }
  }
}
