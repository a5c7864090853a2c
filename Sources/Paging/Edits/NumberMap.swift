/// A sorted map from numbers to values, in which copies share their contents.
///
/// - A copy costs O(1). A change copies only O(log n) nodes, also if the map was copied before.
/// - All operations cost O(log n), except for iterating over all values.
/// - It is a radix tree: each branch divides its numbers by one bit, the highest bit at the root. So it needs no
///   balancing.
struct NumberMap<Value> {
  private indirect enum Node {
    case leaf(UInt, Value)
    /// Two nodes whose numbers agree with `sample` in all bits above `bit`. The bit is set in the numbers of the second
    /// node.
    case branch(bit: UInt, sample: UInt, Node, Node)
  }

  private var root: Node?

  /// Creates an empty map.
  init() {}

  var isEmpty: Bool { root == nil }

  /// The value for a number.
  subscript(number: UInt) -> Value? {
    get {
      var node = root
      while case .branch(let bit, _, let low, let high) = node { node = number & bit == 0 ? low : high }
      guard case .leaf(number, let value) = node else { return nil }
      return value
    }
    set {
      root = newValue.map { Self.setting(number, to: $0, in: root) } ?? root.flatMap { Self.removing(number, from: $0) }
    }
  }

  /// The lowest number, and its value.
  var first: (number: UInt, value: Value)? { root.map(Self.lowest) }

  /// The highest number, and its value.
  var last: (number: UInt, value: Value)? { root.map(Self.highest) }

  /// The lowest number above a given one, and its value.
  func first(after number: UInt) -> (number: UInt, value: Value)? { root.flatMap { Self.lowest($0, above: number) } }

  /// The highest number below a given one, and its value.
  func last(before number: UInt) -> (number: UInt, value: Value)? { root.flatMap { Self.highest($0, below: number) } }
}

extension NumberMap: Sequence {
  /// Iterates over the values in the order of their numbers.
  func makeIterator() -> AnyIterator<(number: UInt, value: Value)> {
    var ahead = root.map { [$0] } ?? []
    return AnyIterator {
      while let node = ahead.popLast() {
        switch node {
        case .leaf(let number, let value): return (number, value)
        case .branch(_, _, let low, let high): ahead += [high, low]
        }
      }
      return nil
    }
  }
}

extension NumberMap {
  private static func agrees(_ number: UInt, _ other: UInt, above bit: UInt) -> Bool { (number ^ other) >> 1 < bit }

  private static func setting(_ number: UInt, to value: Value, in node: Node?) -> Node {
    let leaf = Node.leaf(number, value)
    switch node {
    case nil, .leaf(number, _): return leaf
    case .leaf(let other, _): return joining(leaf, number, node ?? leaf, other)
    case .branch(let bit, let sample, let low, let high):
      guard agrees(number, sample, above: bit) else { return joining(leaf, number, node ?? leaf, sample) }
      return number & bit == 0
        ? .branch(bit: bit, sample: sample, setting(number, to: value, in: low), high)
        : .branch(bit: bit, sample: sample, low, setting(number, to: value, in: high))
    }
  }

  /// Makes a branch of two nodes, given one number of each.
  private static func joining(_ node: Node, _ number: UInt, _ other: Node, _ otherNumber: UInt) -> Node {
    let bit = UInt(1) << (UInt.bitWidth - 1 - (number ^ otherNumber).leadingZeroBitCount)
    let (low, high) = number & bit == 0 ? (node, other) : (other, node)
    return .branch(bit: bit, sample: number, low, high)
  }

  private static func removing(_ number: UInt, from node: Node) -> Node? {
    switch node {
    case .leaf(let other, _): return other == number ? nil : node
    case .branch(let bit, let sample, let low, let high):
      if number & bit == 0 {
        return removing(number, from: low).map { .branch(bit: bit, sample: sample, $0, high) } ?? high
      }
      return removing(number, from: high).map { .branch(bit: bit, sample: sample, low, $0) } ?? low
    }
  }

  private static func lowest(_ node: Node) -> (number: UInt, value: Value) {
    switch node {
    case .leaf(let number, let value): (number, value)
    case .branch(_, _, let low, _): lowest(low)
    }
  }

  private static func highest(_ node: Node) -> (number: UInt, value: Value) {
    switch node {
    case .leaf(let number, let value): (number, value)
    case .branch(_, _, _, let high): highest(high)
    }
  }

  private static func lowest(_ node: Node, above number: UInt) -> (number: UInt, value: Value)? {
    switch node {
    case .leaf(let other, let value): return other > number ? (other, value) : nil
    case .branch(let bit, let sample, let low, let high):
      guard agrees(number, sample, above: bit) else { return number < sample ? lowest(low) : nil }
      return number & bit == 0 ? lowest(low, above: number) ?? lowest(high) : lowest(high, above: number)
    }
  }

  private static func highest(_ node: Node, below number: UInt) -> (number: UInt, value: Value)? {
    switch node {
    case .leaf(let other, let value): return other < number ? (other, value) : nil
    case .branch(let bit, let sample, let low, let high):
      guard agrees(number, sample, above: bit) else { return number < sample ? nil : highest(high) }
      return number & bit == 0 ? highest(low, below: number) : highest(high, below: number) ?? highest(low)
    }
  }
}
