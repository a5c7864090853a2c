public import WireJSON

/// An item of a page that was left out, and why.
public struct RejectedItem: Hashable, Sendable {
  /// Why an item was left out.
  public enum Reason: Hashable, Sendable {
    /// It is a value, but no object.
    case notAnObject
    /// It has no member of the id's name.
    case noID
    /// Its id is neither a string nor a number.
    case unusableID(JSONKind)
    /// Its line is not JSON.
    case invalid(JSONError)
  }

  /// The item's place among those that were scanned, left out or not, from 0.
  public let index: Int
  /// Where it shows, in bytes from the start of the text.
  public let offset: Int
  /// Why the item was left out.
  public let reason: Reason

  /// Names an item.
  /// - Parameters:
  ///   - index: The item's place among those scanned, from 0.
  ///   - offset: Where it shows, in bytes from the start of the text.
  ///   - reason: Why the item was left out.
  public init(index: Int, offset: Int, reason: Reason) {
    self.index = index
    self.offset = offset
    self.reason = reason
  }

  /// The reason in words for a person, without its place.
  public var message: String {
    switch reason {
    case .notAnObject: "an item must be an object"
    case .noID: "an item has no id"
    case .unusableID(let kind): "an item's id must be a string or a number, not \(kind)"
    case .invalid(let error): error.message
    }
  }
}

/// What a scan over a window of a longer text found.
public struct ItemScan: Sendable {
  /// Why a scan stopped.
  public enum Stop: Hashable, Sendable {
    /// Enough items were scanned; there may be more from ``ItemScan/next`` on.
    case limit
    /// The window ends before the text does: read on from ``ItemScan/next``, with a larger window if nothing was found.
    case windowEnd
    /// The text is at its end.
    case end
  }

  /// Where the items lie, in their order.
  public var slices: [RawItems.Slice] = []
  /// What was left out.
  public var rejected: [RejectedItem] = []
  /// How many items were scanned, those left out among them.
  public var scanned = 0
  /// The offset to go on at.
  public var next: Int
  /// Why the scan stopped.
  public var stop: Stop = .end

  /// Where in the array the scan stands, if it is one of an array.
  var arrayPlace = ArrayPlace.beforeArray

  /// Makes an empty finding, to be filled by several scans in turn.
  /// - Parameter next: The offset to start at.
  public init(startingAt next: Int = 0) { self.next = next }
}

extension JSONScanner {
  /// What one item came to.
  enum Item {
    case found(RawItems.Slice)
    case leftOut(RejectedItem.Reason, at: Int)
  }

  /// Checks one item that starts at the position and finds its id. Of duplicate members the last wins.
  /// - Parameters:
  ///   - key: The id's name in UTF-8.
  ///   - depth: How many arrays and objects are open around the item.
  /// - Returns: The item's place, or why it has none.
  /// - Throws: What is wrong with its text.
  @inline(__always)
  mutating func skipItem(_ key: Span<UInt8>, depth: Int) throws(JSONError) -> Item {
    let start = position
    guard next == UInt8(ascii: "{") else {
      try skipValue(depth: depth)
      return .leftOut(.notAnObject, at: start)
    }
    guard let id = try skipObject(depth: depth, finding: key) else { return .leftOut(.noID, at: start) }
    let kind = JSONKind(startingWith: byte(at: id.lowerBound))
    guard kind == .string || kind == .number else { return .leftOut(.unusableID(kind), at: id.lowerBound) }
    return .found(
      RawItems.Slice(
        start: UInt32(start), length: UInt32(position - start), idStart: UInt32(id.lowerBound),
        idLength: UInt32(id.count)))
  }
}

extension ItemScan {
  @inline(__always)
  mutating func add(_ item: JSONScanner.Item) {
    switch item {
    case .found(let slice): slices.append(slice)
    case .leftOut(let reason, let offset):
      rejected.append(RejectedItem(index: scanned, offset: offset, reason: reason))
    }
    scanned += 1
  }
}
