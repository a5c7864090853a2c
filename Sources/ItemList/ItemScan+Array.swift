public import WireJSON

extension ItemScan {
  /// Where in an array a scan stands.
  enum ArrayPlace {
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
      switch arrayPlace {
      case .beforeArray:
        guard scanner.next == UInt8(ascii: "[") else { throw scanner.failure(.expectedValue) }
        scanner.position += 1
        arrayPlace = .beforeFirstItem
      case .beforeFirstItem where scanner.next == UInt8(ascii: "]"):
        scanner.position += 1
        arrayPlace = .afterArray
      case .beforeFirstItem, .beforeItem:
        guard scanned < enough else {
          stop = .limit
          return
        }
        let item = try scanner.skipItem(key, depth: 1)
        // A number at the window's end may go on behind it.
        guard scanner.position < scanner.end else { throw scanner.failure(.unexpectedEnd) }
        add(item)
        arrayPlace = .afterItem
      case .afterItem where scanner.next == UInt8(ascii: ","):
        scanner.position += 1
        arrayPlace = .beforeItem
      case .afterItem where scanner.next == UInt8(ascii: "]"):
        scanner.position += 1
        arrayPlace = .afterArray
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
