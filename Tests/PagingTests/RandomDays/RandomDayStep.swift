import Randomness

/// One step of a random day. Its two numbers choose the details, such as a row, from the state at that time. So a day
/// can be replayed without some of its steps.
struct RandomDayStep: CustomStringConvertible {
  enum Kind: CaseIterable {
    // Actions of the user.
    case appear, refresh, reachBottom, reachTop, retry, viewport, jump, insert, update, remove, mark, unmark,
      removeMarked
    case changeMarked, search, filter, showArrivals
    // Actions of the source.
    case change, lose, everything, badChange, deliver, answerPage, answerEdit, answerWatch, breakWatch, progress
    // The passing of time, and a check of the idle list.
    case wait, rest

    /// How often the kind occurs, relative to the others.
    var weight: Int {
      switch self {
      case .answerPage: 24
      case .change, .deliver: 14
      case .reachBottom: 12
      case .viewport, .answerWatch, .answerEdit, .wait: 8
      case .insert, .update, .remove, .reachTop, .rest, .mark: 5
      case .refresh, .unmark: 3
      case .retry, .jump, .showArrivals: 3
      case .appear, .search, .filter, .lose, .progress, .removeMarked, .changeMarked: 1
      case .everything, .badChange, .breakWatch: 1
      }
    }
  }

  let kind: Kind
  let first: Int
  let second: Int

  private static let deck = Kind.allCases.flatMap { Array(repeating: $0, count: $0.weight) }

  init(_ kind: Kind, _ first: Int = 0, _ second: Int = 0) {
    (self.kind, self.first, self.second) = (kind, first, second)
  }

  init(using random: inout SplitMix64) {
    kind = Self.deck[Int.random(in: 0..<Self.deck.count, using: &random)]
    first = Int.random(in: 0..<1 << 16, using: &random)
    second = Int.random(in: 0..<1 << 16, using: &random)
  }

  var description: String { ".init(.\(kind), \(first), \(second))" }
}
