public import WireJSON

extension ItemList {
  /// One item of a list: a JSON object left as the bytes it came in.
  ///
  /// It holds on to the bytes of the page it came with, so it is cheap to copy and stays valid whatever becomes of
  /// the list.
  public struct Item {
    let buffer: [UInt8]
    let entry: ItemEntry

    init(buffer: [UInt8], entry: ItemEntry) { (self.buffer, self.entry) = (buffer, entry) }

    /// Takes one item out of a page. Where it is less than half of it, its bytes are copied, so the page isn't kept.
    ///
    /// - Parameters:
    ///   - page: The page.
    ///   - position: The item's position in the page, from 0.
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

    /// Takes one JSON object for an item; nil if it is none, or has no usable id.
    ///
    /// - Parameters:
    ///   - json: The object. Its bytes are copied, so the message it came in isn't kept.
    ///   - key: The member that is its id.
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
