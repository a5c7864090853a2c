extension RawJSON {
  /// The elements of an array, in their order; none of any other value.
  public var elements: Elements { Elements(of: self) }

  /// The members of an object, in their order and with duplicates; none of any other value.
  public var members: Members { Members(of: self) }

  /// Finds a member of an object by its decoded name. Of several the last wins.
  /// - Parameter name: The name.
  /// - Returns: The member's value; nil where there is none or this is no object.
  public func member(_ name: String) -> RawJSON? {
    guard kind == .object else { return nil }
    let place = name.withSpan { name in
      JSONScanner.scan(storage.span.extracting(..<end), from: start, maxDepth: .max) { scanner -> Range<Int>? in
        // The object was checked before.
        try? scanner.skipObject(depth: 0, finding: name)
      }
    }
    return place.map { RawJSON(trusting: storage, $0) }
  }

  /// The elements of an array.
  public struct Elements: Sequence, IteratorProtocol, Sendable {
    private var walk: Walk

    init(of array: RawJSON) { walk = Walk(array, kind: .array) }

    /// The next element.
    public mutating func next() -> RawJSON? { walk.next() }
  }

  /// The members of an object.
  public struct Members: Sequence, IteratorProtocol, Sendable {
    /// A name, decoded, and the value under it.
    public typealias Element = (key: WireText, value: RawJSON)

    private var walk: Walk

    init(of object: RawJSON) { walk = Walk(object, kind: .object) }

    /// The next member.
    public mutating func next() -> Element? {
      guard let name = walk.next(), let value = walk.next() else { return nil }
      return (name.wireText ?? "", value)
    }
  }

  /// Goes from value to value within an array or object, a name being a value too.
  private struct Walk: Sendable {
    private let storage: [UInt8]
    private let end: Int
    private var position: Int

    init(_ container: RawJSON, kind: JSONKind) {
      storage = container.storage
      position = container.start + 1
      end = container.kind == kind ? container.end - 1 : 0
    }

    mutating func next() -> RawJSON? {
      guard position < end else { return nil }
      let (start, bytes) = (position, storage)
      let found = JSONScanner.scan(bytes.span.extracting(..<end), from: start, maxDepth: .max) {
        scanner -> (Range<Int>, next: Int)? in
        scanner.skipSpace()
        let start = scanner.position
        // The text was checked, so only its end stops the scanner.
        guard (try? scanner.skipValue(depth: 0)) != nil else { return nil }
        let range = start..<scanner.position
        scanner.skipSpace()
        return (range, scanner.position + 1)
      }
      position = found?.next ?? end
      return found.map { RawJSON(trusting: storage, $0.0) }
    }
  }
}

extension JSONScanner {
  /// Moves over an object that starts at the position and finds one of its members.
  /// - Parameters:
  ///   - depth: How many arrays and objects are open around it.
  ///   - name: The member's name in UTF-8.
  /// - Returns: Where the member's value lies, of duplicates the last; nil where there is none.
  /// - Throws: What is wrong with the object.
  package mutating func skipObject(depth: Int, finding name: Span<UInt8>) throws(JSONError) -> Range<Int>? {
    var found: Range<Int>?
    try skipObject(depth: depth) { scanner, member in
      if scanner.isName(member, name) { found = member.value }
    }
    return found
  }

  /// Whether a member has a name, whatever its spelling.
  @inline(__always)
  func isName(_ member: Member, _ name: Span<UInt8>) -> Bool {
    guard member.nameIsPlain else { return sameBytes(self.name(of: member).span, name) }
    guard member.name.count == name.count else { return false }
    for index in 0..<name.count {
      guard byte(at: member.name.lowerBound + index) == name[index] else { return false }
    }
    return true
  }

  /// A member's name, decoded.
  @inline(never)
  func name(of member: Member) -> [UInt8] {
    let content = member.name.map { byte(at: $0) }
    guard !member.nameIsPlain else { return content }
    var decoded: [UInt8] = []
    decodeEscapes(in: content[...], loneSurrogate: { _, decoded in decoded += [0xEF, 0xBF, 0xBD] }, into: &decoded)
    return decoded
  }
}
