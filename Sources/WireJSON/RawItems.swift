/// The items of one page: JSON objects left as the bytes they came in, and where each of them and its id lies.
public struct RawItems: Sendable {
  /// Where one item and its id lie within ``bytes``.
  public struct Slice: Sendable {
    /// The offset of the item's first byte.
    public var start: UInt32
    /// The item's length in bytes.
    public var length: UInt32
    /// The offset of the first byte of the item's id, counted from the start of ``RawItems/bytes``.
    public var idStart: UInt32
    /// The length of the item's id in bytes, with its quotes.
    public var idLength: UInt32

    /// Names a place.
    @inlinable
    public init(start: UInt32, length: UInt32, idStart: UInt32, idLength: UInt32) {
      self.start = start
      self.length = length
      self.idStart = idStart
      self.idLength = idLength
    }
  }

  /// The bytes of the items, in UTF-8, with whatever lay between them.
  public let bytes: [UInt8]
  /// The items, in their order.
  public let slices: [Slice]

  /// Joins bytes that were already read with the places found in them.
  @inlinable
  public init(bytes: [UInt8], slices: [Slice]) {
    self.bytes = bytes
    self.slices = slices
  }
}
