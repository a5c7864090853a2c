public import WireJSON

/// The progress and results of scanning a JSON text for items. The text can be scanned in several windows, one after
/// another.
public struct ItemScan: Sendable {
  /// The reason why a scan stopped.
  public enum Stop: Hashable, Sendable {
    /// The limit was reached. There may be more items from ``ItemScan/next`` on.
    case limit
    /// The window ended before the text did. Continue from ``ItemScan/next``, with a larger window if no item was
    /// found.
    case windowEnd
    /// The text ended.
    case end
  }

  /// The positions of the items, in order.
  public var slices: [RawItems.Slice] = []
  /// The items that were left out.
  public var rejected: [RejectedItem] = []
  /// The number of scanned items, including those that were left out.
  public var scanned = 0
  /// The offset at which to continue.
  public var next: Int
  /// Why the scan stopped.
  public var stop: Stop = .end
  /// Whether items without an id are included. Their slices have an id of length 0.
  package var findsItemsWithoutID = false

  /// Where in the array the scan stopped, if it scans an array.
  var arrayPosition = ArrayPosition.beforeArray

  /// Creates a scan that hasn't found anything yet.
  public init(startingAt next: Int = 0) { self.next = next }
}

extension JSONScanner {
  /// The result of scanning one item.
  enum Item {
    case found(RawItems.Slice)
    case withoutID(Range<Int>)
    case leftOut(RejectedItem.Reason, at: Int)
  }

  /// Checks the item at the current position, and finds its id. `depth` is the number of arrays and objects around it.
  /// If a field occurs twice, the last one counts.
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
  /// A position in the syntax of an array.
  enum ArrayPosition {
    case beforeArray, beforeFirstItem, beforeItem, afterItem, afterArray
  }

  /// Continues the scan of a JSON array, from the offset ``next`` in a window of its text.
  ///
  /// A new scan starts at the array's opening bracket, or at white space before it. To continue with another window,
  /// drop the bytes before ``next``, set `next` to 0, append the bytes that follow, and call the function again.
  /// - Parameters:
  ///   - bytes: A window of the text, below 4 GiB. All offsets in the results are relative to it.
  ///   - key: The name of the field that is the items' id.
  ///   - limit: The most items to scan in this call, including those that are left out.
  ///   - isLast: Whether the text ends with this window.
  ///   - maxDepth: The most arrays and objects that may be nested, including the array itself.
  /// - Throws: A ``JSONError`` if the text is invalid. The items before the error stay in the results, and `next` is
  ///   before the broken item.
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
        // A number at the end of the window may continue in the next window.
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
  /// Continues the scan of JSON Lines (one item on each line), from the offset ``next`` in a window of their text. It
  /// must be the start of a line.
  ///
  /// A broken line is rejected, and the scan continues after it. Blank lines are ignored. The last line needs no line
  /// feed. To continue with another window, drop the bytes before ``next``, set `next` to 0, append the bytes that
  /// follow, and call the function again.
  /// - Parameters:
  ///   - bytes: A window of the text, below 4 GiB. All offsets in the results are relative to it.
  ///   - key: The name of the field that is the items' id.
  ///   - limit: The most items to scan in this call, including those that are left out.
  ///   - isLast: Whether the text ends with this window.
  ///   - maxDepth: The most arrays and objects that may be nested.
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

  /// Skips what may follow the value of a line: white space, then a line feed or the end of the text.
  @inline(__always)
  fileprivate mutating func skipLineEnd() throws(JSONError) {
    skipSpace()
    guard position < end else { return }
    guard byte(at: position) == UInt8(ascii: "\n") else { throw JSONError(.trailingText, at: position) }
    position += 1
  }

  /// Scans a broken line again as a separate text, and moves to the next line. Returns the error; nil if the line's end
  /// isn't in the window.
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
