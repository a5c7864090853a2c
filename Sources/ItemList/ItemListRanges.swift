extension ItemList {
  /// The items of a range, without a search for each.
  ///
  /// - Parameter range: Their positions.
  /// - Returns: The items.
  package func items(in range: Range<Int>) -> [Item] {
    var items: [Item] = []
    items.reserveCapacity(range.count)
    while items.count < range.count, let place = tree.place(position: range.lowerBound + items.count) {
      for position in range.lowerBound + items.count..<Swift.min(place.end, range.upperBound) {
        items.append(place.leaf.item(at: position - place.start))
      }
    }
    return items
  }

  /// Puts items in the place of neighbours. It costs what goes and what comes, and O(log n).
  ///
  /// - Parameters:
  ///   - range: The positions of those that go.
  ///   - items: Those that come. None of their ids may be listed outside of the range.
  package mutating func replaceSubrange(_ range: Range<Int>, with items: [Item]) {
    guard !range.isEmpty || !items.isEmpty else { return }
    if let first = items.first, isEmpty {
      insert(first, at: 0)
      return replaceSubrange(1..<1, with: Array(items.dropFirst()))
    }
    reserve(items.count + 2 * ItemLeaf.capacity)
    let old = leaves(around: range)
    guard let first = old.first, let last = old.last else { return }
    let (before, after) = (0..<range.lowerBound - first.start, range.upperBound - last.start..<last.leaf.count)
    let count = before.count + items.count + after.count
    guard count > 0 else { return old.forEach { removeLeaf($0) } }
    let leafCount = (count + ItemLeaf.capacity - 1) / ItemLeaf.capacity
    guard let labels = index.table.labels(leafCount - old.count, between: last.label, and: last.nextLabel) else {
      relabel(reserving: leafCount, apart: leafCount + 1)
      return replaceSubrange(range, with: items)
    }
    let numbers = old.map { ($0.label, $0.number) } + labels.map { ($0, index.table.number(ofLeafAt: $0)) }
    let nodes = ContiguousArray(
      zip(0..<leafCount, numbers).map { leaf, name in
        let part = leaf * count / leafCount..<(leaf + 1) * count / leafCount
        var builder = ItemLeafBuilder(capacity: part.count)
        builder.append(part.clamped(to: before), of: first.leaf)
        for item in items[part.clamped(from: before.count, count: items.count)] {
          builder.append(CollectionOfOne(item.entry), in: item.buffer)
        }
        let rest = part.clamped(from: before.count + items.count, count: after.count)
        builder.append(rest.lowerBound + after.lowerBound..<rest.upperBound + after.lowerBound, of: last.leaf)
        return ItemNode(builder.leaf, label: name.0, number: name.1)
      })
    for place in old.dropFirst() { tree.replace(leafAt: place.label, with: []) }
    tree.replace(leafAt: first.label, with: nodes)
    if old.count == 1, leafCount == 1 {
      for item in items { index.table.insert(first.number, for: item.idHash) }
    } else {
      for node in nodes { index.table.insert(node) }
    }
    if count <= ItemLeaf.capacity / 4 { joinNeighbour(ofLeafAt: first.start) }
  }

  /// The leaves that hold the items of a range; where it is empty, the one that holds its position.
  private func leaves(around range: Range<Int>) -> [ItemLeafPlace] {
    var leaves: [ItemLeafPlace] = []
    var position = range.lowerBound
    repeat {
      guard let place = tree.place(position: position) else { break }
      leaves.append(place)
      position = place.end
    } while position < range.upperBound
    return leaves
  }
}

extension Range<Int> {
  /// The part that lies in a range, counted from its start.
  fileprivate func clamped(from start: Int, count: Int) -> Range {
    let part = clamped(to: start..<start + count)
    return part.lowerBound - start..<part.upperBound - start
  }
}
