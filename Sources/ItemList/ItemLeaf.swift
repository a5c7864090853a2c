internal import WireJSON

/// Up to 64 items in their order: usually the items of a few small pages, or a part of a large one.
///
/// Leaves never change once made, so versions of a list share them.
final class ItemLeaf {
  /// The most items that a leaf holds.
  static let capacity = 64

  let count: Int
  let entries: ContiguousArray<ItemEntry>
  /// The bytes that the entries point into, of pages or copied out of them. Each has an entry that uses it.
  let buffers: [[UInt8]]

  /// Makes a leaf. It keeps a page's bytes only where its items are at least seven eighths of them, and copies the items out
  /// of others: so what stays of pages is hardly more than what is listed, and eight bytes are copied at most for one that
  /// has gone.
  init(entries: ContiguousArray<ItemEntry>, buffers: [[UInt8]]) {
    count = entries.count
    var (entries, buffers) = (entries, buffers)
    // One item more than the capacity is in a leaf that is to be split.
    var used = InlineArray<65, Int>(repeating: 0)
    // With the comma behind each.
    for entry in entries { used[Int(entry.buffer)] += entry.size + 1 }
    for buffer in buffers.indices where 8 * used[buffer] < 7 * buffers[buffer].count {
      buffers[buffer] = ItemLeaf.copyOut(&entries, of: buffer, buffers[buffer], size: used[buffer])
    }
    (self.entries, self.buffers) = (entries, buffers)
  }

  /// Copies the items that lie in a buffer, with commas between them, as in an array.
  private static func copyOut(
    _ entries: inout ContiguousArray<ItemEntry>, of buffer: Int, _ bytes: [UInt8], size: Int
  ) -> [UInt8] {
    var copy: [UInt8] = []
    copy.reserveCapacity(size)
    for position in entries.indices where entries[position].buffer == buffer {
      if !copy.isEmpty { copy.append(UInt8(ascii: ",")) }
      entries[position].copy(from: bytes, to: &copy)
    }
    return copy
  }

  func item(at offset: Int) -> ItemList.Item {
    let entry = entries[offset]
    return ItemList.Item(buffer: buffers[Int(entry.buffer)], entry: entry)
  }

  /// Looks at all buffers, for the reason of ``ItemBranch/prefetchChildren()``.
  func prefetchBuffers() {
    var total = 0
    for buffer in buffers { total |= buffer.count }
    precondition(total > 0)
  }

  /// The offset of the item with an id.
  ///
  /// - Parameters:
  ///   - id: The id's bytes.
  ///   - tag: The low bits of its hash.
  /// - Returns: The offset, or nil where the leaf doesn't hold it.
  func offset(ofID id: borrowing Span<UInt8>, tag: UInt16) -> Int? {
    for offset in 0..<count where entries[offset].tag == tag {
      let entry = entries[offset]
      let buffer = buffers[Int(entry.buffer)]
      if ItemID.equal(buffer.span.extracting(entry.idRange), id) { return offset }
    }
    return nil
  }

  /// A leaf with another item at an offset.
  func replacing(at offset: Int, with item: ItemList.Item) -> ItemLeaf {
    guard !buffers.contains(where: { $0.span.isIdentical(to: item.buffer.span) }) else {
      var builder = ItemLeafBuilder(capacity: count)
      builder.append(0..<offset, of: self)
      builder.append(CollectionOfOne(item.entry), in: item.buffer)
      builder.append(offset + 1..<count, of: self)
      return builder.leaf
    }
    var (entries, buffers) = (entries, buffers)
    let old = entries[offset].buffer
    entries[offset] = item.entry
    if entries.indices.contains(where: { $0 != offset && entries[$0].buffer == old }) {
      entries[offset].buffer = UInt16(buffers.count)
      buffers.append(item.buffer)
    } else {
      entries[offset].buffer = old
      buffers[Int(old)] = item.buffer
    }
    return ItemLeaf(entries: entries, buffers: buffers)
  }

  /// A leaf with some of the items.
  func part(_ range: Range<Int>) -> ItemLeaf {
    var part = ItemLeafBuilder(capacity: range.count)
    part.append(range, of: self)
    return part.leaf
  }

  /// Hands out the bytes of some items, those that lie one comma apart together.
  func forEachRun<E: Error>(in range: Range<Int>, _ body: (Span<UInt8>) throws(E) -> Void) throws(E) {
    var offset = range.lowerBound
    while offset < range.upperBound {
      let first = entries[offset]
      let buffer = buffers[Int(first.buffer)]
      let bytes = buffer.span
      var end = first.range.upperBound
      offset += 1
      while offset < range.upperBound, entries[offset].buffer == first.buffer,
        entries[offset].range.lowerBound == end + 1, bytes[end] == UInt8(ascii: ",")
      {
        end = entries[offset].range.upperBound
        offset += 1
      }
      try body(bytes.extracting(first.range.lowerBound..<end))
    }
  }

  /// Whether an item of this leaf and one of another have the same bytes.
  @inline(__always)
  func hasSameItem(at offset: Int, as other: ItemLeaf, at otherOffset: Int) -> Bool {
    let (entry, otherEntry) = (entries[offset], other.entries[otherOffset])
    guard entry.length == otherEntry.length else { return false }
    let (buffer, otherBuffer) = (buffers[Int(entry.buffer)], other.buffers[Int(otherEntry.buffer)])
    let (bytes, otherBytes) = (buffer.span, otherBuffer.span)
    if entry.start == otherEntry.start, bytes.isIdentical(to: otherBytes) { return true }
    return sameBytes(bytes.extracting(entry.range), otherBytes.extracting(otherEntry.range))
  }
}

/// Puts a leaf together from parts of others and new items. Buffers that no item uses any more stay behind.
struct ItemLeafBuilder {
  private var entries = ContiguousArray<ItemEntry>()
  private var buffers: [[UInt8]] = []

  init(capacity: Int) {
    entries.reserveCapacity(capacity)
  }

  var leaf: ItemLeaf { ItemLeaf(entries: entries, buffers: buffers) }

  /// Adds all items of a leaf to a builder that has none.
  mutating func append(_ leaf: ItemLeaf) {
    entries.append(contentsOf: leaf.entries)
    buffers = leaf.buffers
  }

  mutating func append(_ items: some Collection<ItemEntry>, in buffer: [UInt8]) {
    guard !items.isEmpty else { return }
    let position = position(of: buffer)
    let start = entries.count
    entries.append(contentsOf: items)
    var added = entries.mutableSpan
    for offset in start..<added.count { added[offset].buffer = position }
  }

  mutating func append(_ range: Range<Int>, of leaf: ItemLeaf) {
    var last: (source: UInt16, target: UInt16)?
    for var entry in leaf.entries[range] {
      if let last, last.source == entry.buffer {
        entry.buffer = last.target
      } else {
        let target = position(of: leaf.buffers[Int(entry.buffer)])
        last = (entry.buffer, target)
        entry.buffer = target
      }
      entries.append(entry)
    }
  }

  private mutating func position(of buffer: [UInt8]) -> UInt16 {
    if let known = buffers.lastIndex(where: { $0.span.isIdentical(to: buffer.span) }) { return UInt16(known) }
    buffers.append(buffer)
    return UInt16(buffers.count - 1)
  }
}

/// A leaf and where it stands in a tree.
struct ItemLeafPlace {
  let leaf: ItemLeaf
  let label: Int64
  let number: UInt32
  /// The position in the list of the leaf's first item.
  let start: Int
  /// The label of the leaf after it.
  let nextLabel: Int64?

  /// The position after its last item.
  var end: Int { start + leaf.count }
}

extension ItemNode {
  /// What a leaf is looked for by.
  private enum Target {
    case label(Int64)
    case position(Int)
  }

  /// Looks for the leaf under which a label belongs.
  ///
  /// - Parameters:
  ///   - label: The label.
  ///   - start: The position in the list of this node's first item.
  ///   - nextLabel: The label of the leaf after all of these.
  /// - Returns: The leaf; its label may be a lower one.
  func place(label: Int64, start: Int, nextLabel: Int64?) -> ItemLeafPlace {
    place(.label(label), start: start, nextLabel: nextLabel)
  }

  /// Looks for the leaf that holds the item at a position.
  ///
  /// - Parameters:
  ///   - position: The position.
  ///   - start: The position in the list of this node's first item.
  ///   - nextLabel: The label of the leaf after all of these.
  /// - Returns: The leaf; the last one for a position at the end.
  func place(position: Int, start: Int, nextLabel: Int64?) -> ItemLeafPlace {
    place(.position(position), start: start, nextLabel: nextLabel)
  }

  /// The last leaf, for a node whose first item has a position in the list.
  func place(start: Int) -> ItemLeafPlace {
    place(.position(start + count), start: start, nextLabel: nil)
  }

  private func place(_ target: Target, start: Int, nextLabel: Int64?) -> ItemLeafPlace {
    switch body {
    case .leaf(let leaf):
      return ItemLeafPlace(leaf: leaf, label: label, number: number, start: start, nextLabel: nextLabel)
    case .branch(let branch):
      let (position, itemsBefore) =
        switch target {
        case .label(let label): branch.child(label: label)
        case .position(let position): branch.child(offset: position - start, of: count)
        }
      let next = position + 1 < branch.children.count ? branch.children[position + 1].label : nextLabel
      return branch.children[position].place(target, start: start + itemsBefore, nextLabel: next)
    }
  }
}
