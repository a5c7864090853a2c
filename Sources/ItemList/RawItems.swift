public import WireJSON

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

    /// Where the item lies.
    @inlinable public var range: Range<Int> { Int(start)..<Int(start) + Int(length) }
    /// Where the item's id lies, with its quotes.
    @inlinable public var idRange: Range<Int> { Int(idStart)..<Int(idStart) + Int(idLength) }
  }

  /// The bytes of the items, in UTF-8, with whatever lay between them.
  public let bytes: [UInt8]
  /// The items, in their order.
  public let slices: [Slice]
  /// What was left out when the items were scanned.
  public let rejected: [RejectedItem]

  /// Joins bytes that were already read with the places found in them.
  @inlinable
  public init(bytes: [UInt8], slices: [Slice], rejected: [RejectedItem] = []) {
    self.bytes = bytes
    self.slices = slices
    self.rejected = rejected
  }

  /// Finds the items of an array, whose bytes are shared; nil for any other value. Elements without a usable id under
  /// `key` are left out and named in ``rejected``.
  public init?(arrayOf array: RawJSON, id key: String) {
    guard array.kind == .array else { return nil }
    var scan = ItemScan(startingAt: array.start)
    // The array was checked as deep as its reader allows.
    guard (try? scan.continueArray(array.storage.span.extracting(..<array.end), id: key, maxDepth: .max)) != nil else {
      return nil
    }
    self.init(bytes: array.storage, slices: scan.slices, rejected: scan.rejected)
  }

  /// How many items there are.
  @inlinable public var count: Int { slices.count }
  /// Whether there are none.
  @inlinable public var isEmpty: Bool { slices.isEmpty }

  /// One item.
  public subscript(index: Int) -> RawJSON { RawJSON(trusting: bytes, slices[index].range) }

  /// One item's id in its canonical spelling.
  public func id(at index: Int) -> ItemID {
    let text = bytes[slices[index].idRange]
    // Slices name usable ids alone; whoever made them up otherwise gets an id that equals nothing.
    return ItemID(trusting: text) ?? ItemID("")
  }
}
