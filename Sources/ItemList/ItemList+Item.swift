public import WireJSON

extension ItemList {
  /// One item of a list: a JSON object left as the bytes it came in.
  ///
  /// It holds on to the bytes of the page it came with, so it is cheap to copy and stays valid whatever becomes of
  /// the list.
  public struct Item: Sendable {
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
