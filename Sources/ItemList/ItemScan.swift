public import WireJSON

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
  /// Whether items without an id are found, too. Their slices have an id of no bytes.
  package var findsItemsWithoutID = false

  /// Where in the array the scan stands, if it is one of an array.
  var arrayPosition = ArrayPosition.beforeArray

  /// Makes an empty finding, to be filled by several scans in turn.
  public init(startingAt next: Int = 0) { self.next = next }
}

extension JSONScanner {
  /// What one item came to.
  enum Item {
    case found(RawItems.Slice)
    case withoutID(Range<Int>)
    case leftOut(RejectedItem.Reason, at: Int)
  }

  /// Checks one item that starts at the position, with so many arrays and objects open around it, and finds its id. Of
  /// duplicate members the last wins.
  @inline(__always)
  mutating func skipItem(_ key: Span<UInt8>, depth: Int) throws(JSONError) -> Item {
    let start = position
    guard next == UInt8(ascii: "{") else {
      try skipValue(depth: depth)
      return .leftOut(.notAnObject, at: start)
    }
    guard let id = try skipObject(depth: depth, finding: key) else { return .withoutID(start..<position) }
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
    case .withoutID(let range) where findsItemsWithoutID:
      let start = UInt32(range.lowerBound)
      slices.append(RawItems.Slice(start: start, length: UInt32(range.count), idStart: start, idLength: 0))
    case .withoutID(let range):
      rejected.append(RejectedItem(index: scanned, offset: range.lowerBound, reason: .noID))
    case .leftOut(let reason, let offset):
      rejected.append(RejectedItem(index: scanned, offset: offset, reason: reason))
    }
    scanned += 1
  }
}

extension ItemScan {
  /// Where in an array a scan stands.
  enum ArrayPosition {
    case beforeArray, beforeFirstItem, beforeItem, afterItem, afterArray
  }

  /// Goes on over the items of a JSON array, from the offset ``next`` in a window of its text.
  ///
  /// A fresh scan starts at the array's opening bracket, or at white space before it. It can go on with another window:
  /// drop the bytes before ``next``, set `next` to 0, append what was read since, and call again.
  /// - Parameters:
  ///   - bytes: A window of the text, below 4 GiB; the findings count in its offsets.
  ///   - key: The name of the items' id.
  ///   - limit: How many items this call may scan, those that are left out among them.
  ///   - isLast: Whether the text ends where the window does.
  ///   - maxDepth: How many arrays and objects may be open at once, the array itself included.
  /// - Throws: A ``JSONError`` where the text is wrong. What was found before it stands, and `next` is before the
  ///   broken item.
  public mutating func continueArray(
    _ bytes: Span<UInt8>, id key: String, limit: Int = .max, isLast: Bool = true, maxDepth: Int = 512
  ) throws(JSONError) {
    guard bytes.count < Int(UInt32.max) else { throw JSONError(.tooLong, at: Int(UInt32.max)) }
    let name = Array(key.utf8)
    let key = name.span
    do throws(JSONError) {
      try JSONScanner.scan(bytes, from: next, maxDepth: maxDepth) { (scanner) throws(JSONError) in
        try scanArray(&scanner, key, limit: limit)
      }
      if stop == .end, !isLast { stop = .windowEnd }
    } catch {
      guard error.kind == .unexpectedEnd, !isLast else { throw error }
      stop = .windowEnd
    }
  }

  private mutating func scanArray(_ scanner: inout JSONScanner, _ key: Span<UInt8>, limit: Int) throws(JSONError) {
    let enough = limit < .max - scanned ? scanned + limit : .max
    while true {
      scanner.skipSpace()
      switch arrayPosition {
      case .beforeArray:
        guard scanner.next == UInt8(ascii: "[") else { throw scanner.failure(.expectedValue) }
        scanner.position += 1
        arrayPosition = .beforeFirstItem
      case .beforeFirstItem where scanner.next == UInt8(ascii: "]"):
        scanner.position += 1
        arrayPosition = .afterArray
      case .beforeFirstItem, .beforeItem:
        guard scanned < enough else {
          stop = .limit
          return
        }
        let item = try scanner.skipItem(key, depth: 1)
        // A number at the window's end may go on behind it.
        guard scanner.position < scanner.end else { throw scanner.failure(.unexpectedEnd) }
        add(item)
        arrayPosition = .afterItem
      case .afterItem where scanner.next == UInt8(ascii: ","):
        scanner.position += 1
        arrayPosition = .beforeItem
      case .afterItem where scanner.next == UInt8(ascii: "]"):
        scanner.position += 1
        arrayPosition = .afterArray
      case .afterItem:
        throw scanner.failure(.expectedCommaOrBracket)
      case .afterArray:
        guard scanner.position == scanner.end else { throw JSONError(.trailingText, at: scanner.position) }
        next = scanner.position
        stop = .end
        return
      }
      next = scanner.position
    }
  }
}

extension ItemScan {
  /// Goes on over items that stand one a line (JSON Lines), from the offset ``next``, the start of a line, in a window of
  /// their text.
  ///
  /// A broken line is rejected and left out; the others go on. Blank lines count for nothing, and a last line needs no
  /// line feed. To go on with another window, drop the bytes before ``next``, set `next` to 0, append what was read since, and
  /// call again.
  /// - Parameters:
  ///   - bytes: A window of the text, below 4 GiB; the findings count in its offsets.
  ///   - key: The name of the items' id.
  ///   - limit: How many items this call may scan, those that are left out among them.
  ///   - isLast: Whether the text ends where the window does.
  ///   - maxDepth: How many arrays and objects may be open at once.
  public mutating func continueLines(
    _ bytes: Span<UInt8>, id key: String, limit: Int = .max, isLast: Bool = true, maxDepth: Int = 512
  ) {
    let bytes = bytes.count < Int(UInt32.max) ? bytes : bytes.extracting(..<Int(UInt32.max))
    let name = Array(key.utf8)
    let key = name.span
    JSONScanner.scan(bytes, from: next, maxDepth: maxDepth, crossesLines: false) { scanner in
      scanLines(&scanner, key, limit: limit, isLast: isLast)
    }
  }

  private mutating func scanLines(_ scanner: inout JSONScanner, _ key: Span<UInt8>, limit: Int, isLast: Bool) {
    let enough = limit < .max - scanned ? scanned + limit : .max
    while scanned < enough {
      scanner.skipSpace()
      if scanner.position < scanner.end, scanner.byte(at: scanner.position) == UInt8(ascii: "\n") {
        scanner.position += 1
        next = scanner.position
        continue
      }
      guard scanner.position < scanner.end else {
        if isLast { next = scanner.end }
        stop = isLast ? .end : .windowEnd
        return
      }
      do throws(JSONError) {
        let item = try scanner.skipItem(key, depth: 0)
        try scanner.skipLineEnd()
        guard isLast || scanner.position < scanner.end || scanner.isAfterLineFeed else {
          stop = .windowEnd
          return
        }
        add(item)
      } catch {
        guard let error = scanner.errorOfLine(from: next, isLast: isLast) else {
          stop = .windowEnd
          return
        }
        add(.leftOut(.invalid(error), at: error.offset))
      }
      next = scanner.position
    }
    stop = .limit
  }
}

extension JSONScanner {
  /// Whether the byte before the position is a line feed.
  @inline(__always)
  fileprivate var isAfterLineFeed: Bool { position > 0 && byte(at: position - 1) == UInt8(ascii: "\n") }

  /// Moves over what may follow a line's value: white space, and a line feed or the end.
  @inline(__always)
  fileprivate mutating func skipLineEnd() throws(JSONError) {
    skipSpace()
    guard position < end else { return }
    guard byte(at: position) == UInt8(ascii: "\n") else { throw JSONError(.trailingText, at: position) }
    position += 1
  }

  /// Reads a broken line again, as the text of its own that it is, and moves behind it. Nil if its end is not among the
  /// bytes.
  @inline(never)
  fileprivate mutating func errorOfLine(from start: Int, isLast: Bool) -> JSONError? {
    var lineEnd = start
    while lineEnd < end, byte(at: lineEnd) != UInt8(ascii: "\n") { lineEnd += 1 }
    guard lineEnd < end || isLast else { return nil }
    var line = JSONScanner(self, from: start, to: lineEnd)
    position = min(lineEnd + 1, end)
    do throws(JSONError) {
      _ = try line.skipText()
      return nil
    } catch {
      return error
    }
  }
}
