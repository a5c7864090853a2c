/// Collects what is wrong with a value while the value is decoded: all of it, up to more than anybody reads.
public struct DecodingContext: Sendable {
  private static let mostFailures = 1000

  /// What to do about members that nobody knows.
  public enum UnknownMembers: Sendable {
    /// Pass over them, as messages need.
    case ignored
    /// Report each, as configurations need.
    case reported
  }

  /// What to do about members that nobody knows.
  public let unknownMembers: UnknownMembers
  /// What was found wrong, in the order of the text as far as it was read in that order.
  public private(set) var failures: [DecodingFailure] = []

  /// Makes an empty context.
  public init(unknownMembers: UnknownMembers = .ignored) { self.unknownMembers = unknownMembers }

  /// Whether no more failures are taken, so that nobody need look for them.
  public var isFull: Bool { failures.count >= DecodingContext.mostFailures }

  /// Adds a failure whose path starts at the value that is being decoded, unless there are enough.
  public mutating func report(_ failure: DecodingFailure) {
    if !isFull { failures.append(failure) }
  }

  /// Whether a value is of a kind. Another kind is reported.
  package mutating func expect(_ kind: JSONKind, _ json: RawJSON) -> Bool {
    if json.kind == kind { return true }
    report(DecodingFailure(expected: kind.words, in: json))
    return false
  }

  /// Goes one step into a value, to a member by its name or to an element by its index as `[2]`, and decodes what lies
  /// there.
  @inlinable
  public mutating func within<Result>(
    _ step: @autoclosure () -> String, _ body: (inout DecodingContext) -> Result
  ) -> Result {
    let known = failures.count
    let result = body(&self)
    if failures.count > known { prefix(step(), from: known) }
    return result
  }

  /// Puts a step before the paths of the latest failures: nothing is built for values that have none.
  @usableFromInline
  mutating func prefix(_ step: String, from start: Int) {
    for index in start..<failures.count { failures[index].path.insert(step, at: 0) }
  }
}
