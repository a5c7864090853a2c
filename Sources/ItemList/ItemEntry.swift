internal import WireJSON

/// The position of an item and its id in one of a leaf's buffers. It has no references, so a leaf's entries are copied
/// by one `memcpy`.
struct ItemEntry {
  private var packedKey = PackedKey()
  /// The index of the item's buffer in its leaf.
  var buffer: UInt16 = 0
  /// Some bits of the id's hash. They rule out most other items without reading their bytes.
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

  /// A number that determines the item's position in the list: the keys of a list are in ascending order. The item
  /// keeps its key when it moves to another leaf.
  @inline(__always) var key: Int64 {
    get { packedKey.value }
    set { packedKey.value = newValue }
  }

  @inline(__always) var range: Range<Int> { Int(start)..<Int(start) + Int(length) }
  @inline(__always) var idRange: Range<Int> { Int(idStart)..<Int(idStart) + Int(idLength) }

  /// Whether the id is part of the item's bytes. Otherwise it is stored elsewhere in the buffer.
  var hasID: Bool { start <= idStart && idStart + idLength <= start + length }

  /// The number of bytes of the item, and of its id if that is stored separately.
  var size: Int { Int(length) + (hasID ? 0 : Int(idLength)) }

  /// Copies the bytes of the item and its id, and then refers to the copy.
  mutating func copy(from bytes: [UInt8], to copy: inout [UInt8]) {
    let distance = copy.count - Int(start)
    copy += bytes[range]
    if hasID { return move(by: distance) }
    let id = idRange
    (start, idStart) = (UInt32(Int(start) + distance), UInt32(copy.count))
    copy += bytes[id]
  }

  /// Moves the offsets by a number of bytes.
  mutating func move(by distance: Int) {
    start = UInt32(Int(start) + distance)
    idStart = UInt32(Int(idStart) + distance)
  }

  /// The id's hash, computed from the buffer's bytes.
  @inline(__always)
  func idHash(in bytes: borrowing Span<UInt8>) -> UInt64 { CanonicalScalar.hash(of: bytes.extracting(idRange)) }
}
