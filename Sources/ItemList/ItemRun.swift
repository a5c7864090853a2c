public import WireJSON

/// A leaf of the tree of items. Versions of a list share leaves: one that more than one of them holds is never changed.
final class ItemLeaf {
  /// The most items that a leaf holds.
  static let capacity = 64

  /// Not checked for overlapping accesses, of which there are none: each step changes one leaf, or reads some.
  @exclusivity(unchecked) private var run: ItemRun

  init(_ items: ItemRun) { unsafe run = items }

  var items: ItemRun {
    @inline(__always) _read { yield unsafe run }
    @inline(__always) _modify { yield unsafe &run }
  }
}

/// Neighbouring items in their order, with the bytes that they lie in.
struct ItemRun {

  /// Bytes that entries point into, of a page or copied out of one.
  private struct Buffer {
    var bytes: [UInt8]
    /// How many of them are an item's, with the comma behind each; none if the place is free.
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
  /// How many bytes it holds on to of each page or copy.
  var keptBytes: [Int] { buffers.map { Int($0.size) } }

  // MARK: - Items

  func item(at offset: Int) -> ItemList.Item {
    let entry = entries[offset]
    return ItemList.Item(buffer: buffers[Int(entry.buffer)].bytes, entry: entry)
  }

  /// The offset of the item with a key, or nil where there is none.
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

  /// The offset of the item with an id and a key, or nil where there is none.
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

  /// Hands out the bytes of some items, those that lie one comma apart together.
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

  /// Where items end that lie in their bytes one comma apart, each with its id.
  private func endOfNeighbours(from offset: Int, in bytes: Span<UInt8>, before limit: Int) -> Int {
    var end = offset + 1
    while end < limit, entries[end].buffer == entries[offset].buffer, entries[end].hasID {
      let place = entries[end - 1].range.upperBound
      guard entries[end].range.lowerBound == place + 1, bytes[place] == UInt8(ascii: ",") else { break }
      end += 1
    }
    return end
  }

  /// Whether an item of this run and one of another have the same bytes.
  @inline(__always)
  func hasSameItem(at offset: Int, as other: ItemRun, at otherOffset: Int) -> Bool {
    let (entry, otherEntry) = (entries[offset], other.entries[otherOffset])
    guard entry.length == otherEntry.length else { return false }
    let (buffer, otherBuffer) = (buffers[Int(entry.buffer)].bytes, other.buffers[Int(otherEntry.buffer)].bytes)
    let (bytes, otherBytes) = (buffer.span, otherBuffer.span)
    if entry.start == otherEntry.start, bytes.isIdentical(to: otherBytes) { return true }
    return sameBytes(bytes.extracting(entry.range), otherBytes.extracting(otherEntry.range))
  }

  // MARK: - Changes

  /// Puts items that have their keys, and all lie in some bytes, before the one at an offset.
  mutating func insert(_ items: some Collection<ItemEntry>, in bytes: [UInt8], at offset: Int) {
    let count = items.count
    // What the array gives itself would be twice as much.
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

  /// Puts another item in the place of one, under the same key.
  mutating func replace(at offset: Int, with item: ItemList.Item) {
    let key = entries[offset].key
    release(entries[offset])
    let slot = slot(for: item.buffer)
    buffers[slot].used += UInt32(item.entry.size + 1)
    entries[offset] = item.entry
    entries[offset].key = key
    entries[offset].buffer = UInt16(slot)
  }

  /// Takes items out.
  mutating func remove(_ range: Range<Int>) {
    for offset in range { release(entries[offset]) }
    entries.removeSubrange(range)
  }

  /// Gives items new keys, in order.
  mutating func setKeys(_ keys: ItemKeys, in range: Range<Int>, from number: Int) {
    for offset in range { entries[offset].key = keys[number + offset - range.lowerBound] }
  }

  /// Takes all items from an offset on out.
  ///
  /// - Returns: A run of them.
  mutating func split(at offset: Int) -> ItemRun {
    var rest = ItemRun()
    rest.append(self, from: offset)
    remove(offset..<count)
    entries = .init(entries, room: 0)
    return rest
  }

  /// Adds the items of another run, from an offset in that on.
  mutating func append(_ other: ItemRun, from offset: Int = 0) {
    var start = offset
    entries = .init(entries, room: other.count - start)
    while start < other.count {
      let slot = other.entries[start].buffer
      let end = other.entries[start...].firstIndex { $0.buffer != slot } ?? other.count
      insert(other.entries[start..<end], in: other.buffers[Int(slot)].bytes, at: count)
      start = end
    }
  }

  /// Keeps a page's bytes only where items are at least seven eighths of them, and copies the items out of others: so what
  /// stays of pages is hardly more than what is listed, and eight bytes are copied at most for one that has gone.
  mutating func tidy() {
    for slot in buffers.indices where 8 * Int(buffers[slot].used) < 7 * Int(buffers[slot].size) { copyOut(slot) }
    while buffers.last?.used == 0 { buffers.removeLast() }
  }

  /// Copies the items that lie in a buffer, with commas between them, as in an array.
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

  /// The place of some bytes among the buffers, which is a free one at first.
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

  /// An entry doesn't need its bytes any more.
  private mutating func release(_ entry: ItemEntry) {
    let slot = Int(entry.buffer)
    buffers[slot].used -= UInt32(entry.size + 1)
    if buffers[slot].used == 0 { buffers[slot] = Buffer([]) }
  }
}

extension ContiguousArray {
  /// A copy with room for just so many more.
  fileprivate init(_ other: ContiguousArray, room: Int) {
    self.init()
    reserveCapacity(other.count + room)
    append(contentsOf: other)
  }
}

extension ItemList {
  /// One item of a list: a JSON object left as the bytes it came in.
  ///
  /// It holds on to the bytes of the page it came with, so it is cheap to copy and stays valid whatever becomes of
  /// the list.
  public struct Item {
    let buffer: [UInt8]
    let entry: ItemEntry

    init(buffer: [UInt8], entry: ItemEntry) { (self.buffer, self.entry) = (buffer, entry) }

    /// Takes the item at a position out of a page. Where it is less than half of it, its bytes are copied, so the page isn't
    /// kept.
    public init(_ page: RawItems, at position: Int) {
      var entry = ItemEntry(page.slices[position], in: page.bytes.span)
      var own: [UInt8] = []
      if 2 * entry.size < page.bytes.count { entry.copy(from: page.bytes, to: &own) }
      self.init(buffer: own.isEmpty ? page.bytes : own, entry: entry)
    }

    /// Whether two items have one id.
    func hasSameID(as other: Item) -> Bool {
      CanonicalScalar.equal(buffer.span.extracting(entry.idRange), other.buffer.span.extracting(other.entry.idRange))
    }

    /// Whether the bytes of two items are the same.
    func hasSameBytes(as other: Item) -> Bool {
      let (bytes, otherBytes) = (buffer.span, other.buffer.span)
      if entry.range == other.entry.range, bytes.isIdentical(to: otherBytes) { return true }
      return sameBytes(bytes.extracting(entry.range), otherBytes.extracting(other.entry.range))
    }

    var idHash: UInt64 { entry.idHash(in: buffer.span) }

    /// The item's JSON text, in UTF-8, byte for byte as it came.
    public var bytes: ArraySlice<UInt8> { buffer[entry.range] }

    /// Takes one JSON object for an item, `key` being the member that is its id; nil if it is none, or has no usable id. Its
    /// bytes are copied, so the message that it came in isn't kept.
    public init?(_ json: RawJSON, id key: String) {
      let own = RawJSON(trusting: Array(json.bytes), 0..<json.count)
      guard own.kind == .object, let id = own.member(key), id.kind == .string || id.kind == .number else { return nil }
      let slice = RawItems.Slice(
        start: 0, length: UInt32(own.count), idStart: UInt32(id.start), idLength: UInt32(id.count))
      self.init(RawItems(bytes: own.storage, slices: [slice]), at: 0)
    }

    /// The item as JSON.
    public var json: RawJSON { RawJSON(trusting: buffer, entry.range) }

    /// The item's id as JSON, spelled as in the item.
    public var id: RawJSON { RawJSON(trusting: buffer, entry.idRange) }

    /// The item's id as it stands in the item, with its quotes where it is a string.
    public var rawID: ArraySlice<UInt8> { buffer[entry.idRange] }
  }
}

/// Where an item and its id lie in one of its leaf's buffers. It holds no reference, so copying a leaf's entries is one
/// `memcpy`.
struct ItemEntry {
  private var packedKey = PackedKey()
  /// The position of the item's buffer among its leaf's buffers.
  var buffer: UInt16 = 0
  /// Some bits of the id's hash, so that looking for an id rarely looks at another item's bytes.
  let tag: UInt16
  private(set) var start: UInt32
  let length: UInt32
  private(set) var idStart: UInt32
  let idLength: UInt32

  @inline(__always)
  init(_ slice: RawItems.Slice, hash: UInt64) {
    tag = UInt16(truncatingIfNeeded: hash)
    start = slice.start
    length = slice.length
    idStart = slice.idStart
    idLength = slice.idLength
  }

  init(_ slice: RawItems.Slice, in bytes: borrowing Span<UInt8>) {
    self.init(slice, hash: CanonicalScalar.hash(of: bytes.extracting(slice.idRange)))
  }

  /// Where the item stands in the order of its list: higher than what is before it, lower than what is behind it. It
  /// goes with the item from leaf to leaf.
  @inline(__always) var key: Int64 {
    get { packedKey.value }
    set { packedKey.value = newValue }
  }

  @inline(__always) var range: Range<Int> { Int(start)..<Int(start) + Int(length) }
  @inline(__always) var idRange: Range<Int> { Int(idStart)..<Int(idStart) + Int(idLength) }

  /// Whether the id lies in the item, as it does unless it was written by itself.
  var hasID: Bool { start <= idStart && idStart + idLength <= start + length }

  /// How many bytes it takes with its id.
  var size: Int { Int(length) + (hasID ? 0 : Int(idLength)) }

  /// Copies the item and its id, and points to the copy from now on.
  mutating func copy(from bytes: [UInt8], to copy: inout [UInt8]) {
    let distance = copy.count - Int(start)
    copy += bytes[range]
    if hasID { return move(by: distance) }
    let id = idRange
    (start, idStart) = (UInt32(Int(start) + distance), UInt32(copy.count))
    copy += bytes[id]
  }

  /// Points so many bytes further on.
  mutating func move(by distance: Int) {
    start = UInt32(Int(start) + distance)
    idStart = UInt32(Int(idStart) + distance)
  }

  /// The id's hash, from the bytes that the entry points into.
  @inline(__always)
  func idHash(in bytes: borrowing Span<UInt8>) -> UInt64 { CanonicalScalar.hash(of: bytes.extracting(idRange)) }
}
