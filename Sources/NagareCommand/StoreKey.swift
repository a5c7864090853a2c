internal import Nagare
internal import WireJSON

/// One value that screens have in common, and what it is at first.
struct StoreKey: Sendable {
  let store: String
  let name: String
  let first: RawJSON

  /// What screens and actions call it.
  var path: String { "\(store).\(name)" }

  /// Whether a value can stand here: null can, and what is of the first value's kind; of a null the kind is a string.
  func takes(_ value: RawJSON) -> Bool { value.isNull || value.kind == kind }

  /// What can stand here, in words that follow "must be".
  var expectation: String { kind.words }

  private var kind: JSONKind { first.isNull ? .string : first.kind }
}
