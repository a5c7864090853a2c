import WireJSON

extension ItemList {
  mutating func merge(_ page: RawItems, atEnd: Bool) -> Merged {
    var arrivals = expect(page.slices.count, in: page.bytes, atEnd: atEnd)
    var merged = Merged()
    var replaced = Set<Int>()

    /// Puts an item in the place of that with its id, if it is in the leaf.
    func replace(with entry: ItemEntry, at position: Int, inLeafAt label: Int64) -> Bool {
      if arrivals.replace(with: entry, inLeafAt: label) {
        merged.repeated.append(position)
        return true
      }
      let item = Item(buffer: page.bytes, entry: entry)
      guard let known = self.replace(item, inLeafAt: label) else { return false }
      if !replaced.insert(known).inserted { merged.repeated.append(position) }
      return true
    }

    /// Takes in all items in one access to the shared table.
    func takeAll(_ table: inout ItemTable) {
      let (bytes, slices) = (page.bytes.span, page.slices.span)
      var hashes = ItemTable.Hashes(repeating: 0)
      var leaves = ContiguousArray<UInt32>()
      next: for position in slices.indices {
        if position % ItemTable.batchSize == 0 { hashes = table.hashes(of: slices.extracting(position...), in: bytes) }
        let hash = hashes[position % ItemTable.batchSize]
        let entry = ItemEntry(slices[position], hash: hash)
        var search = table.search(for: hash)
        leaves.removeAll(keepingCapacity: true)
        while let number = table.nextLeaf(&search) { leaves.append(number) }
        for number in leaves.reversed() {
          if replace(with: entry, at: position, inLeafAt: table.label(ofLeaf: number)) { continue next }
        }
        let number = arrivals.append(entry, &table)
        if leaves.isEmpty { table.insert(number, at: search) } else { table.insert(number, for: hash) }
      }
    }

    takeAll(&index.table)
    merged.added = arrivals.entries.count
    merged.replaced = replaced.count
    add(arrivals)
    return merged
  }

  /// Gets ready to add items at an end.
  ///
  /// - Parameters:
  ///   - count: How many they are at most.
  ///   - buffer: The bytes that they lie in.
  ///   - atEnd: Whether they go to the end, or to the front.
  /// - Returns: What takes them in.
  mutating func expect(_ count: Int, in buffer: [UInt8], atEnd: Bool) -> ItemArrivals {
    reserve(count)
    let leaves = (count + ItemLeaf.capacity - 1) / ItemLeaf.capacity
    var edge = tree.edge(atEnd: atEnd)
    func firstLabel() -> Int64? {
      guard let edge else { return 0 }
      return index.table.firstLabel(of: leaves, beside: edge.label, atEnd: atEnd)
    }
    var label = firstLabel()
    if label == nil {
      relabel(reserving: leaves)
      edge = tree.edge(atEnd: atEnd)
      label = firstLabel()
    }
    return ItemArrivals(
      in: buffer, count: count, beside: edge, firstLabel: label ?? 0, gap: index.table.gap, atEnd: atEnd)
  }

  /// Puts new items into the tree; the index has their hashes already.
  mutating func add(_ arrivals: ItemArrivals) {
    guard !arrivals.entries.isEmpty else { return }
    let edge = tree.edge(atEnd: arrivals.atEnd)
    let nodes = arrivals.nodes(beside: edge)
    if let edge {
      tree.replace(leafAt: edge.label, with: nodes)
    } else {
      tree = ItemTree(nodes)
    }
  }
}
