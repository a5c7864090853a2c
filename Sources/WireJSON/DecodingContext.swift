/// Collects the failures while a value is decoded: all of them, up to 1000.
public struct DecodingContext: Sendable {
  private static let mostFailures = 1000

  /// How to treat fields that a type doesn't know.
  public enum UnknownMembers: Sendable {
    /// Ignore them, which suits messages.
    case ignored
    /// Report each of them, which suits configurations.
    case reported
  }

  /// How to treat fields that a type doesn't know.
  public let unknownMembers: UnknownMembers
  /// The failures in the order in which they were found, mostly the order of the text.
  public private(set) var failures: [DecodingFailure] = []

  /// Makes an empty context.
  public init(unknownMembers: UnknownMembers = .ignored) { self.unknownMembers = unknownMembers }

  /// Whether the limit of failures is reached. Then decoders needn't look for more.
  public var isFull: Bool { failures.count >= DecodingContext.mostFailures }

  /// Adds a failure, unless the limit is reached. Its path starts at the value being decoded.
  public mutating func report(_ failure: DecodingFailure) {
    if !isFull { failures.append(failure) }
  }

  /// Checks the kind of a value. Reports a failure and returns false if it is another kind.
  package mutating func expect(_ kind: JSONKind, _ json: RawJSON) -> Bool {
    if json.kind == kind { return true }
    report(DecodingFailure(expected: kind.words, in: json))
    return false
  }

  /// Decodes a part of a value. `step` is the name of a field, or the index of an element as `[2]`.
  @inlinable
  public mutating func within<Result>(
    _ step: @autoclosure () -> String, _ body: (inout DecodingContext) -> Result
  ) -> Result {
    let known = failures.count
    let result = body(&self)
    if failures.count > known { prefix(step(), from: known) }
    return result
  }

  /// Puts a step in front of the paths of the latest failures. Paths are thus built only for values with failures.
  @usableFromInline
  mutating func prefix(_ step: String, from start: Int) {
    for index in start..<failures.count { failures[index].path.insert(step, at: 0) }
  }
}
