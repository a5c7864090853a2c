/// What keeps a value from being what was expected, and where.
public struct DecodingFailure: Error, Hashable, Sendable {
  /// What is wrong.
  public enum Kind: Hashable, Sendable {
    /// A required member is missing.
    case missing
    /// The value is of another type, or out of range.
    case mismatch
    /// A member that nobody knows.
    case unknownMember
    /// The value is refused by its type's own code.
    case invalid
  }

  /// The way to the value, from the outermost: members' names, and elements' indices as `[2]`.
  public var path: [String]
  /// What is wrong.
  public let kind: Kind
  /// What would be right, for a person: "an integer of at least 1", "\"next\" or \"previous\"". For an unknown member: the
  /// known ones; for an invalid value: what its type says.
  public let expected: String
  /// Where the value starts, or the object that lacks it, in bytes from the start of the text it was read from.
  public let offset: Int

  /// A failure: what would be right, the value at fault, or the object that lacks one, and the way to it.
  public init(_ kind: Kind = .mismatch, expected: String, in json: RawJSON, path: [String] = []) {
    self.kind = kind
    self.expected = expected
    self.path = path
    offset = json.start
  }

  /// The path as a person writes it: `screens.inbox.choices[2]`.
  public var parameter: String { joined(path) }

  /// The failure in words for a person.
  public var message: String {
    let subject = subject(at: path)
    return switch kind {
    case .missing: "\(subject) is missing: expected \(expected)"
    case .mismatch: "\(subject) must be \(expected)"
    case .unknownMember: "\(subject) is unknown: expected \(expected)"
    case .invalid: "\(subject) is invalid: \(expected)"
    }
  }
}

/// What a failure is about, in words for a person.
func subject(at path: [String]) -> String { path.isEmpty ? "the value" : "'\(joined(path))'" }

private func joined(_ path: [String]) -> String {
  path.reduce(into: "") { text, step in
    if !text.isEmpty, step.utf8.first != UInt8(ascii: "[") { text += "." }
    text += step
  }
}

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
