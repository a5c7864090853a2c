public import WireJSON

/// The items of one page: JSON objects as the bytes in which they were received, with the positions of each item and
/// its id.
public struct RawItems: Sendable {
  /// The position of one item and its id in ``bytes``.
  public struct Slice: Sendable {
    /// The offset of the item's first byte.
    public var start: UInt32
    /// The item's length in bytes.
    public var length: UInt32
    /// The offset of the first byte of the item's id, counted from the start of ``RawItems/bytes``.
    public var idStart: UInt32
    /// The length of the item's id in bytes, including quotes.
    public var idLength: UInt32

    /// Creates a slice.
    @inlinable
    public init(start: UInt32, length: UInt32, idStart: UInt32, idLength: UInt32) {
      self.start = start
      self.length = length
      self.idStart = idStart
      self.idLength = idLength
    }

    /// The byte range of the item.
    @inlinable public var range: Range<Int> { Int(start)..<Int(start) + Int(length) }
    /// The byte range of the item's id, including quotes.
    @inlinable public var idRange: Range<Int> { Int(idStart)..<Int(idStart) + Int(idLength) }
  }

  /// The bytes of the items in UTF-8, including any bytes between them.
  public let bytes: [UInt8]
  /// The items, in their order.
  public let slices: [Slice]
  /// The items that were left out.
  public let rejected: [RejectedItem]

  /// Creates a page from bytes and the positions that a scan found in them.
  @inlinable
  public init(bytes: [UInt8], slices: [Slice], rejected: [RejectedItem] = []) {
    self.bytes = bytes
    self.slices = slices
    self.rejected = rejected
  }

  /// Finds the items of a JSON array, and shares its bytes. Nil for any other value. Elements without a usable id in
  /// the field `key` are left out and listed in ``rejected``.
  public init?(arrayOf array: RawJSON, id key: String) {
    guard array.kind == .array else { return nil }
    var scan = ItemScan(startingAt: array.start)
    // The array's depth was checked by the code that read it.
    guard (try? scan.continueArray(array.storage.span.extracting(..<array.end), id: key, maxDepth: .max)) != nil else {
      return nil
    }
    self.init(bytes: array.storage, slices: scan.slices, rejected: scan.rejected)
  }

  /// The number of items.
  @inlinable public var count: Int { slices.count }
  /// Whether the page is empty.
  @inlinable public var isEmpty: Bool { slices.isEmpty }

  /// The item at an index.
  public subscript(index: Int) -> RawJSON { RawJSON(trusting: bytes, slices[index].range) }

  /// The id of the item at an index, in its canonical spelling.
  public func id(at index: Int) -> ItemID {
    let text = bytes[slices[index].idRange]
    // Slices of a scan always have usable ids. Any other slice gets an empty id, which no scanned item has.
    return ItemID(trusting: text) ?? ItemID("")
  }
}
