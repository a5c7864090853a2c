public import WireJSON

extension ItemList {
  /// One item of a list: a JSON object left as the bytes it came in.
  ///
  /// It holds on to the bytes of the page it came with, so it is cheap to copy and stays valid whatever becomes of
  /// the list.
  public struct Item {
    let buffer: [UInt8]
    let entry: ItemEntry

    init(buffer: [UInt8], entry: ItemEntry) {
      self.buffer = buffer
      self.entry = entry
    }

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
      ItemID.equal(buffer.span.extracting(entry.idRange), other.buffer.span.extracting(other.entry.idRange))
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
    self.init(slice, hash: ItemID.hash(of: bytes.extracting(slice.idRange)))
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
  private var hasID: Bool { start <= idStart && idStart + idLength <= start + length }

  /// How many bytes it takes with its id.
  var size: Int { Int(length) + (hasID ? 0 : Int(idLength)) }

  /// Copies the item and its id, and points to the copy from now on.
  mutating func copy(from bytes: [UInt8], to copy: inout [UInt8]) {
    let newStart = UInt32(copy.count)
    copy += bytes[range]
    if hasID {
      idStart = newStart + (idStart - start)
    } else {
      let newID = UInt32(copy.count)
      copy += bytes[idRange]
      idStart = newID
    }
    start = newStart
  }

  /// The id's hash, from the bytes that the entry points into.
  @inline(__always)
  func idHash(in bytes: borrowing Span<UInt8>) -> UInt64 { ItemID.hash(of: bytes.extracting(idRange)) }
}

/// The id of an item: equal to another when type and value are, whatever their spelling
/// (`"a"` is `"\u0061"`, `1` is `1.0`, and `1` is not `"1"`).
public struct ItemID: Hashable, Sendable {
  /// The id in its canonical spelling, as JSON text in UTF-8.
  ///
  /// Strings escape only what has to be escaped, each in its shortest way. Integers of at most 18 digits are plain;
  /// other numbers are digits without zeros at either end, and an exponent.
  public let json: [UInt8]

  /// Takes an id from a string or number.
  /// - Parameter value: The id in any spelling. Anything but a string or number is no id, and gives nil.
  public init?(_ value: RawJSON) {
    guard let json = CanonicalScalar.spelling(of: value.bytes) else { return nil }
    self.json = json
  }

  /// Takes an id from JSON text that was checked before.
  /// - Parameter text: A string or number as JSON text, without white space around it.
  public init?(trusting text: ArraySlice<UInt8>) {
    guard let json = CanonicalScalar.spelling(of: text) else { return nil }
    self.json = json
  }

  /// An id that is a string.
  /// - Parameter text: The string itself, without quotes and escapes.
  public init(_ text: String) {
    var writer = JSONWriter()
    writer.string(text)
    json = writer.bytes
  }

  /// An id that is a number.
  /// - Parameter number: The number.
  public init(_ number: Int) {
    let text = Array(String(number).utf8)
    json = CanonicalScalar.spelling(of: text[...]) ?? text
  }

  /// The id as a value.
  public var raw: RawJSON { RawJSON(trusting: json, 0..<json.count) }
}

extension ItemID: CustomStringConvertible {
  /// The id's JSON text.
  public var description: String { String(decoding: json, as: UTF8.self) }
}

extension ItemID {
  /// A hash of an id that was not made canonical: equal ids give the same, whatever their spelling.
  /// - Parameter text: A string or number as checked JSON text.
  /// - Returns: The hash, which is another in each process: nothing that is sent may depend on it.
  static func hash(of text: Span<UInt8>) -> UInt64 { CanonicalScalar.hash(of: text) }

  /// Whether two ids that were not made canonical are equal.
  /// - Parameters:
  ///   - left: A string or number as checked JSON text.
  ///   - right: Another.
  /// - Returns: Whether type and value are the same.
  public static func equal(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Bool { CanonicalScalar.equal(left, right) }

  /// Whether an id that was not made canonical is this one.
  /// - Parameter text: A string or number as checked JSON text.
  /// - Returns: Whether type and value are the same.
  public func isEqual(to text: Span<UInt8>) -> Bool { Self.equal(json.span, text) }
}

extension ItemID: JSONDecodable, JSONEncodable, JSONSchemaProviding {
  /// Reads a string or a number.
  public init(json: RawJSON) throws(DecodingFailure) {
    guard let value = ItemID(json) else { throw DecodingFailure(expected: "a string or a number", in: json) }
    self = value
  }

  /// Writes the id in its canonical spelling.
  public func write(to writer: inout JSONWriter) { writer.raw(json.span) }

  /// `{"type":["string","number"]}`.
  public static var schema: JSONSchema { JSONSchema(types: [.string, .number]) }
}

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

  /// Finds the items of an array. Elements without a usable id are left out and named in ``rejected``.
  /// - Parameters:
  ///   - array: The array, whose bytes are shared. Nil comes back for any other value.
  ///   - key: The name of the items' id.
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
  /// - Parameter index: The item's place, from 0.
  public subscript(index: Int) -> RawJSON { RawJSON(trusting: bytes, slices[index].range) }

  /// One item's id.
  /// - Parameter index: The item's place, from 0.
  /// - Returns: The id in its canonical spelling.
  public func id(at index: Int) -> ItemID {
    let text = bytes[slices[index].idRange]
    // Slices name usable ids alone; whoever made them up otherwise gets an id that equals nothing.
    return ItemID(trusting: text) ?? ItemID("")
  }

  /// Whether one item's id equals another's, of this page or of another.
  /// - Parameters:
  ///   - index: The item's place, from 0.
  ///   - other: The other item's page.
  ///   - otherIndex: The other item's place in it.
  /// - Returns: Whether type and value are the same.
  public func isID(at index: Int, equalTo other: RawItems, at otherIndex: Int) -> Bool {
    ItemID.equal(
      bytes.span.extracting(slices[index].idRange), other.bytes.span.extracting(other.slices[otherIndex].idRange))
  }
}
