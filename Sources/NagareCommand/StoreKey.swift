internal import Nagare
internal import WireJSON

/// A value that several screens share, and its first value.
struct StoreKey: Sendable {
  let store: String
  let name: String
  let first: RawJSON

  /// The name of the key for screens and actions.
  var path: String { "\(store).\(name)" }

  /// Whether the key can hold a value: null, or a value of the same kind as the first value. If the first value is
  /// null, the kind is string.
  func takes(_ value: RawJSON) -> Bool { value.isNull || value.kind == kind }

  /// The kind of value that the key can hold, to follow "must be".
  var expectation: String { kind.words }

  private var kind: JSONKind { first.isNull ? .string : first.kind }
}
