extension RawJSON {
  /// Where this value stands beside another one: below zero for before it, zero beside its equal. Numbers go by value,
  /// texts by their code points. Nil comes back for values of two kinds, for kinds without an order, and for numbers with
  /// an exponent beyond ±10^18.
  package func order(beside other: RawJSON) -> Int? {
    switch (kind, other.kind) {
    case (.number, .number):
      guard let mine = DecimalNumber(bytes), let others = DecimalNumber(other.bytes) else { return nil }
      return mine == others ? 0 : mine < others ? -1 : 1
    case (.string, .string):
      guard let mine = wireText, let others = other.wireText else { return nil }
      return mine == others ? 0 : mine < others ? -1 : 1
    default: return nil
    }
  }
}

extension DecimalNumber: Comparable {
  /// Whether one number is less than another, by value.
  static func < (left: DecimalNumber, right: DecimalNumber) -> Bool {
    if left.sign != right.sign { return left.sign < right.sign }
    let (small, large) = left.isNegative ? (right, left) : (left, right)
    // How many digits stand before the point tells which is larger, and among equals the digits do.
    let (places, others) = (small.digits.count + small.exponent, large.digits.count + large.exponent)
    return places == others ? small.digits.lexicographicallyPrecedes(large.digits) : places < others
  }

  private var sign: Int { digits.isEmpty ? 0 : isNegative ? -1 : 1 }
}
