extension RawJSON {
  /// Whether another value means the same: members in any order (of duplicates the last), numbers by value, strings
  /// by their decoded text.
  /// - Parameter other: The value to compare with.
  /// - Returns: Whether they mean the same.
  public func isEquivalent(to other: RawJSON) -> Bool {
    guard kind == other.kind else { return false }
    switch kind {
    case .null: return true
    case .bool: return bool == other.bool
    case .string, .number: return withSpan { mine in other.withSpan { CanonicalScalar.equal(mine, $0) } }
    case .array:
      let (mine, others) = (Array(elements), Array(other.elements))
      return mine.count == others.count && zip(mine, others).allSatisfy { $0.isEquivalent(to: $1) }
    case .object:
      let (mine, others) = (lastMembers, other.lastMembers)
      return mine.count == others.count
        && mine.allSatisfy { name, value in others[name].map(value.isEquivalent(to:)) ?? false }
    }
  }

  /// The members by name, the last of duplicates.
  private var lastMembers: [WireText: RawJSON] {
    var found: [WireText: RawJSON] = [:]
    for (name, value) in members { found[name] = value }
    return found
  }
}

extension RawJSON: Equatable {
  /// Whether two values are written alike, byte for byte. ``isEquivalent(to:)`` looks at what they mean.
  public static func == (left: RawJSON, right: RawJSON) -> Bool { left.bytes == right.bytes }
}
