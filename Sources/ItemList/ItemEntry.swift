internal import WireJSON

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
