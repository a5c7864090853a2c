internal import WireJSON

/// The items of a leaf in their order, and the buffers that contain their bytes.
struct LeafItems {
  /// The bytes of a page, or a copy of some of them.
  private struct Buffer {
    var bytes: [UInt8]
    /// How many bytes belong to items, plus one for a comma after each item; 0 if the buffer is unused.
    var used: UInt32 = 0
    let size: UInt32

    init(_ bytes: [UInt8]) {
      self.bytes = bytes
      size = UInt32(bytes.count)
    }
  }

  private(set) var entries = ContiguousArray<ItemEntry>()
  private var buffers = ContiguousArray<Buffer>()

  var count: Int { entries.count }
  /// The key of the first item.
  var firstKey: Int64 { entries.first?.key ?? 0 }
  /// The size of each buffer in bytes.
  var keptBytes: [Int] { buffers.map { Int($0.size) } }

  // MARK: - Items

  func item(at offset: Int) -> ItemList.Item {
    let entry = entries[offset]
    return ItemList.Item(buffer: buffers[Int(entry.buffer)].bytes, entry: entry)
  }

  /// The offset of the item with a key; nil if there is none.
  func offset(ofKey key: Int64) -> Int? {
    var range = 0..<entries.count
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      let other = entries[middle].key
      if other == key { return middle }
      range = key < other ? range.lowerBound..<middle : middle + 1..<range.upperBound
    }
    return nil
  }

  /// The offset of the item with a key, if it has a given id; nil otherwise.
  func offset(of id: borrowing Span<UInt8>, _ hash: UInt64, key: Int64) -> Int? {
    guard let offset = offset(ofKey: key), entries[offset].tag == UInt16(truncatingIfNeeded: hash) else { return nil }
    let buffer = buffers[Int(entries[offset].buffer)].bytes
    return CanonicalScalar.equal(buffer.span.extracting(entries[offset].idRange), id) ? offset : nil
  }

  /// The hash of an item's id.
  func idHash(at offset: Int) -> UInt64 {
    let entry = entries[offset]
    let buffer = buffers[Int(entry.buffer)].bytes
    return entry.idHash(in: buffer.span)
  }

  /// Passes the bytes of some items to a closure. Items that are separated by a comma are passed as one piece.
  func forEachRun<E: Error>(in range: Range<Int>, _ body: (Span<UInt8>) throws(E) -> Void) throws(E) {
    var offset = range.lowerBound
    while offset < range.upperBound {
      let first = entries[offset]
      let buffer = buffers[Int(first.buffer)].bytes
      let end = endOfNeighbours(from: offset, in: buffer.span, before: range.upperBound)
      try body(buffer.span.extracting(first.range.lowerBound..<entries[end - 1].range.upperBound))
      offset = end
    }
  }

  /// The end of a run of items that are separated by single commas in the same buffer and contain their ids.
  private func endOfNeighbours(from offset: Int, in bytes: Span<UInt8>, before limit: Int) -> Int {
    var end = offset + 1
    while end < limit, entries[end].buffer == entries[offset].buffer, entries[end].hasID {
      let place = entries[end - 1].range.upperBound
      guard entries[end].range.lowerBound == place + 1, bytes[place] == UInt8(ascii: ",") else { break }
      end += 1
    }
    return end
  }

  /// Whether an item of this leaf and an item of another leaf have equal bytes.
  @inline(__always)
  func hasSameItem(at offset: Int, as other: LeafItems, at otherOffset: Int) -> Bool {
    let (entry, otherEntry) = (entries[offset], other.entries[otherOffset])
    guard entry.length == otherEntry.length else { return false }
    let (buffer, otherBuffer) = (buffers[Int(entry.buffer)].bytes, other.buffers[Int(otherEntry.buffer)].bytes)
    let (bytes, otherBytes) = (buffer.span, otherBuffer.span)
    if entry.start == otherEntry.start, bytes.isIdentical(to: otherBytes) { return true }
    return sameBytes(bytes.extracting(entry.range), otherBytes.extracting(otherEntry.range))
  }

  // MARK: - Changes

  /// Inserts items before an offset. The entries must have their keys, and all items must be in `bytes`.
  mutating func insert(_ items: some Collection<ItemEntry>, in bytes: [UInt8], at offset: Int) {
    let count = items.count
    // The array itself would reserve twice as much.
    if entries.capacity < entries.count + count { entries = .init(entries, room: count) }
    entries.insert(contentsOf: items, at: offset)
    let slot = slot(for: bytes)
    var used = 0
    var inserted = entries.mutableSpan
    for position in offset..<offset + count {
      inserted[position].buffer = UInt16(slot)
      used += inserted[position].size + 1
    }
    buffers[slot].used += UInt32(used)
  }

  /// Replaces an item by another one, which gets the same key.
  mutating func replace(at offset: Int, with item: ItemList.Item) {
    let key = entries[offset].key
    release(entries[offset])
    let slot = slot(for: item.buffer)
    buffers[slot].used += UInt32(item.entry.size + 1)
    entries[offset] = item.entry
    entries[offset].key = key
    entries[offset].buffer = UInt16(slot)
  }

  /// Removes items.
  mutating func remove(_ range: Range<Int>) {
    for offset in range { release(entries[offset]) }
    entries.removeSubrange(range)
  }

  /// Gives new keys to items, in order.
  mutating func setKeys(_ keys: ItemKeys, in range: Range<Int>, from number: Int) {
    for offset in range { entries[offset].key = keys[number + offset - range.lowerBound] }
  }

  /// Removes all items from an offset on.
  ///
  /// - Returns: The removed items.
  mutating func split(at offset: Int) -> LeafItems {
    var rest = LeafItems()
    rest.append(self, from: offset)
    remove(offset..<count)
    entries = .init(entries, room: 0)
    return rest
  }

  /// Adds the items of another leaf, from an offset of that leaf on.
  mutating func append(_ other: LeafItems, from offset: Int = 0) {
    var start = offset
    entries = .init(entries, room: other.count - start)
    while start < other.count {
      let slot = other.entries[start].buffer
      let end = other.entries[start...].firstIndex { $0.buffer != slot } ?? other.count
      insert(other.entries[start..<end], in: other.buffers[Int(slot)].bytes, at: count)
      start = end
    }
  }

  /// Copies items out of buffers of which they use less than seven eighths. So the buffers are hardly larger than their
  /// items, and at most eight bytes are copied for each removed byte.
  mutating func tidy() {
    for slot in buffers.indices where 8 * Int(buffers[slot].used) < 7 * Int(buffers[slot].size) { copyOut(slot) }
    while buffers.last?.used == 0 { buffers.removeLast() }
  }

  /// Copies the items of a buffer into a new one, with commas between them as in an array.
  private mutating func copyOut(_ slot: Int) {
    let (bytes, used) = (buffers[slot].bytes, buffers[slot].used)
    var copy: [UInt8] = []
    copy.reserveCapacity(Int(used))
    var position = 0
    while position < entries.count {
      var end = position + 1
      if entries[position].buffer == slot {
        if !copy.isEmpty { copy.append(UInt8(ascii: ",")) }
        if entries[position].hasID {
          end = endOfNeighbours(from: position, in: bytes.span, before: entries.count)
          let text = entries[position].range.lowerBound..<entries[end - 1].range.upperBound
          for neighbour in position..<end { entries[neighbour].move(by: copy.count - text.lowerBound) }
          copy += bytes[text]
        } else {
          entries[position].copy(from: bytes, to: &copy)
        }
      }
      position = end
    }
    buffers[slot] = Buffer(copy)
    buffers[slot].used = used
  }

  /// The index of a buffer for some bytes. An unused buffer is used first.
  private mutating func slot(for bytes: [UInt8]) -> Int {
    if let known = buffers.lastIndex(where: { $0.used > 0 && $0.bytes.span.isIdentical(to: bytes.span) }) {
      return known
    }
    if let free = buffers.firstIndex(where: { $0.used == 0 }) {
      buffers[free] = Buffer(bytes)
      return free
    }
    buffers.append(Buffer(bytes))
    return buffers.count - 1
  }

  /// Subtracts an entry's bytes from the used bytes of its buffer.
  private mutating func release(_ entry: ItemEntry) {
    let slot = Int(entry.buffer)
    buffers[slot].used -= UInt32(entry.size + 1)
    if buffers[slot].used == 0 { buffers[slot] = Buffer([]) }
  }
}

extension ContiguousArray {
  /// Copies an array, with capacity for exactly `room` more elements.
  fileprivate init(_ other: ContiguousArray, room: Int) {
    self.init()
    reserveCapacity(other.count + room)
    append(contentsOf: other)
  }
}
