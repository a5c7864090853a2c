/// Why a value isn't as expected, and where it is.
public struct DecodingFailure: Error, Hashable, Sendable {
  /// The kind of a failure.
  public enum Kind: Hashable, Sendable {
    /// A required field is missing.
    case missing
    /// The value has another type, or is out of range.
    case mismatch
    /// The type doesn't know this field.
    case unknownMember
    /// The type's own code refuses the value.
    case invalid
  }

  /// The path to the value, from the outermost step: names of fields, and indices of elements as `[2]`.
  public var path: [String]
  /// The kind of the failure.
  public let kind: Kind
  /// A description of the expected value: "an integer of at least 1", "\"next\" or \"previous\"". For an unknown field,
  /// the known fields; for an invalid value, the explanation by its type.
  public let expected: String
  /// The byte offset of the value in the text it was read from; for a missing field, that of the object.
  public let offset: Int
  /// The known name that an unknown field probably misspells, or the name of the field that probably misspells a
  /// missing one; nil if there is none.
  package var nearName: String?

  /// Makes a failure.
  ///
  /// - Parameters:
  ///   - kind: the kind of the failure.
  ///   - expected: what was expected.
  ///   - json: the faulty value, or the object that lacks a field.
  ///   - path: the path to the value.
  public init(_ kind: Kind = .mismatch, expected: String, in json: RawJSON, path: [String] = []) {
    self.kind = kind
    self.expected = expected
    self.path = path
    offset = json.start
  }

  /// The path as a person writes it: `screens.inbox.choices[2]`.
  public var parameter: String { joined(path) }

  /// The failure as a sentence for a person.
  public var message: String {
    let subject = subject(at: path)
    return switch kind {
    case .missing: "\(subject) is missing: expected \(expected)\(question)"
    case .mismatch: "\(subject) must be \(expected)"
    case .unknownMember: "\(subject) is unknown: expected \(expected)\(question)"
    case .invalid: "\(subject) is invalid: \(expected)"
    }
  }
}

extension DecodingFailure {
  private var question: String {
    guard let nearName else { return "" }
    return kind == .missing ? "; did you misspell it as '\(nearName)'?" : "; did you mean '\(nearName)'?"
  }

  /// The failure of a field that an object doesn't have, with the nearest name among those that it has.
  package static func unknownMember(
    _ name: String, in value: RawJSON, known: [String], within path: [String] = []
  ) -> DecodingFailure {
    let expected = alternatives(known.map { "'\($0)'" })
    var failure = DecodingFailure(.unknownMember, expected: expected, in: value, path: path + [name])
    failure.nearName = nearestName(to: name, in: known)
    return failure
  }
}

extension RawJSON {
  /// The name of a field of this object that probably misspells another one. The fields that the object's type knows
  /// misspell none.
  package func misspelling(of name: String, known: [String]) -> String? {
    nearestName(to: name, in: unknownMembers(besides: known).map(\.string))
  }

  /// The names of an object's fields that aren't among the known ones.
  package func unknownMembers(besides known: [String]) -> [WireText] {
    members.map(\.key).filter { name in !known.contains { WireText($0) == name } }
  }
}

/// The subject of a failure's sentence.
func subject(at path: [String]) -> String { path.isEmpty ? "the value" : "'\(joined(path))'" }

private func joined(_ path: [String]) -> String {
  path.reduce(into: "") { text, step in
    if !text.isEmpty, step.utf8.first != UInt8(ascii: "[") { text += "." }
    text += step
  }
}
