public import WireJSON

extension ItemList {
  /// An item of a list: a JSON object, stored as the bytes in which it was received.
  ///
  /// It shares the bytes of its page. So it is cheap to copy, and stays valid when the list changes.
  public struct Item: Sendable {
    let buffer: [UInt8]
    let entry: ItemEntry

    init(buffer: [UInt8], entry: ItemEntry) { (self.buffer, self.entry) = (buffer, entry) }

    /// Creates an item from a page. If the item is smaller than half of the page, its bytes are copied, so that it
    /// doesn't keep the page in memory.
    public init(_ page: RawItems, at position: Int) {
      var entry = ItemEntry(page.slices[position], in: page.bytes.span)
      var own: [UInt8] = []
      if 2 * entry.size < page.bytes.count { entry.copy(from: page.bytes, to: &own) }
      self.init(buffer: own.isEmpty ? page.bytes : own, entry: entry)
    }

    /// Whether two items have equal ids.
    func hasSameID(as other: Item) -> Bool {
      CanonicalScalar.equal(buffer.span.extracting(entry.idRange), other.buffer.span.extracting(other.entry.idRange))
    }

    /// Whether two items have equal bytes.
    func hasSameBytes(as other: Item) -> Bool {
      let (bytes, otherBytes) = (buffer.span, other.buffer.span)
      if entry.range == other.entry.range, bytes.isIdentical(to: otherBytes) { return true }
      return sameBytes(bytes.extracting(entry.range), otherBytes.extracting(other.entry.range))
    }

    var idHash: UInt64 { entry.idHash(in: buffer.span) }

    /// The item's JSON in UTF-8, exactly as it was received.
    public var bytes: ArraySlice<UInt8> { buffer[entry.range] }

    /// Creates an item from a JSON object, in which the field `key` is the id. Nil if the value isn't an object, or has
    /// no usable id. The bytes are copied, so that the item doesn't keep the message in memory.
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

    /// The bytes of the item's id, spelled as in the item. A string includes its quotes.
    public var rawID: ArraySlice<UInt8> { buffer[entry.idRange] }
  }
}
