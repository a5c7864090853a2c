/// Which of the open containers are objects: one bit for each, 64 at hand and the rest put away,
/// so that nesting costs no stack and, up to 64, no allocation.
private struct OpenContainers {
  private(set) var count = 0
  private var areObjects: UInt64 = 0
  private var putAway: [UInt64] = []

  @inline(__always)
  var innermostIsObject: Bool { areObjects & 1 != 0 }

  @inline(__always)
  mutating func push(isObject: Bool) {
    if count & 63 == 0, count > 0 { putAway.append(areObjects) }
    areObjects = areObjects << 1 | (isObject ? 1 : 0)
    count += 1
  }

  @inline(__always)
  mutating func pop() {
    count -= 1
    areObjects >>= 1
    if count & 63 == 0, let outer = putAway.popLast() { areObjects = outer }
  }
}

extension JSONScanner {
  /// Moves over an array or object that starts at the position, with a loop where others recurse.
  /// - Parameter depth: How many arrays and objects are open around it.
  /// - Throws: What is wrong with it.
  @inline(never)
  mutating func skipContainer(depth: Int) throws(JSONError) {
    var open = OpenContainers()
    repeat {
      let opener = next
      if opener == UInt8(ascii: "{") || opener == UInt8(ascii: "[") {
        guard depth + open.count < maxDepth else { throw JSONError(.tooDeep(limit: maxDepth), at: position) }
        let isObject = opener == UInt8(ascii: "{")
        open.push(isObject: isObject)
        position += 1
        skipSpace()
        if next != (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
          if isObject { try skipName(orElse: .expectedNameOrBrace) }
          continue
        }
        position += 1
        open.pop()
      } else if opener == UInt8(ascii: "\"") {
        position += 1
        _ = try skipString()
      } else {
        try skipScalar()
      }
      try leaveValue(&open)
    } while open.count > 0
  }

  /// Moves from the end of a value to the start of the next, over the closers, the comma and the name between.
  @inline(__always)
  private mutating func leaveValue(_ open: inout OpenContainers) throws(JSONError) {
    while open.count > 0 {
      skipSpace()
      let byte = next
      if byte == UInt8(ascii: ",") {
        position += 1
        skipSpace()
        if open.innermostIsObject { try skipName(orElse: .expectedName) }
        return
      }
      guard byte == (open.innermostIsObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
        throw failure(open.innermostIsObject ? .expectedCommaOrBrace : .expectedCommaOrBracket)
      }
      position += 1
      open.pop()
    }
  }

  /// Moves over a member's name and its colon, to its value.
  @inline(__always)
  private mutating func skipName(orElse kind: JSONError.Kind) throws(JSONError) {
    guard next == UInt8(ascii: "\"") else { throw failure(kind) }
    position += 1
    _ = try skipString()
    try skipColon()
  }

  /// Moves over a colon and the white space around it.
  @inline(__always)
  mutating func skipColon() throws(JSONError) {
    if next != UInt8(ascii: ":") {
      skipSpace()
      guard next == UInt8(ascii: ":") else { throw failure(.expectedColon) }
    }
    position += 1
    skipSpace()
  }

  /// Where a member lies.
  struct Member {
    /// Where its name lies, without its quotes.
    var name: Range<Int>
    /// Whether the name is ASCII without escapes, so that its bytes are its text.
    var nameIsPlain: Bool
    /// Where its value lies.
    var value: Range<Int>
  }

  /// Moves over an object that starts at the position, telling of each of its own members.
  /// - Parameters:
  ///   - depth: How many arrays and objects are open around it.
  ///   - visit: Called with each member after its value was checked.
  /// - Throws: What is wrong with it.
  @inline(__always)
  mutating func skipObject(depth: Int, _ visit: (borrowing JSONScanner, Member) -> Void) throws(JSONError) {
    guard depth < maxDepth else { throw JSONError(.tooDeep(limit: maxDepth), at: position) }
    position += 1
    skipSpace()
    if next == UInt8(ascii: "}") {
      position += 1
      return
    }
    guard next == UInt8(ascii: "\"") else { throw failure(.expectedNameOrBrace) }
    while true {
      position += 1
      let nameStart = position
      let isPlain = try skipString()
      let nameEnd = position - 1
      try skipColon()
      let start = position
      try skipValue(depth: depth + 1)
      visit(self, Member(name: nameStart..<nameEnd, nameIsPlain: isPlain, value: start..<position))
      skipSpace()
      let byte = next
      position += 1
      if byte == UInt8(ascii: ",") {
        skipSpace()
        guard next == UInt8(ascii: "\"") else { throw failure(.expectedName) }
      } else if byte == UInt8(ascii: "}") {
        return
      } else {
        position -= 1
        throw failure(.expectedCommaOrBrace)
      }
    }
  }
}
