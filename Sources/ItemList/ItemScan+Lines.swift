internal import WireJSON

extension ItemScan {
  /// Goes on over items that stand one a line (JSON Lines), from the offset ``next``, the start of a line, in a window of
  /// their text.
  ///
  /// A broken line is rejected; the others go on. Blank lines count for nothing, and a last line needs no
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
    let key = key.utf8.span
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

  /// Reads a broken line again, as the text of its own that it is, and moves behind it.
  /// - Parameters:
  ///   - start: The line's start.
  ///   - isLast: Whether a line may end with the bytes.
  /// - Returns: What is wrong with the line; nil if its end is not among the bytes.
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
