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
