/// A part of a state that asks for something from outside, such as a load.
///
/// The part is a value and says only what it wants, as runs with numbers of their own; a ``Feedback`` begins the runs that
/// are wanted and not running, drops those that run and aren't wanted any more, and hands in what comes of them.
/// ``Load`` and ``Jobs`` are such parts; others, such as a list of pages, conform to this.
public protocol Work {
  /// What an effect has to know of a run.
  associatedtype Request
  /// What a run gives.
  associatedtype Response

  /// Grows with each change of what is wanted and of the failure.
  var revision: Int { get }
  /// The runs that are wanted now.
  var wanted: WantedNumbers { get }
  /// The failure that stands.
  var failure: Failure? { get }
  /// Whether runs that have begun go on when nobody listens to the state any more, as an edit does that was sent.
  var outlivesSubscribers: Bool { get }

  /// What a wanted run asks for.
  func request(_ number: Int) -> Request

  /// Takes note of what a run reports before it is over.
  mutating func note(_ report: RunReport, of number: Int)

  /// Takes what a run has given. The run is over with that. It throws what is wrong with the response, whose good parts
  /// may have been taken all the same; ``end(_:failure:)`` is called with it.
  mutating func take(_ response: Response, of number: Int) throws

  /// Takes note that a run is over without a response: because it failed, or was given up, as by a user who cancels.
  mutating func end(_ number: Int, failure: Failure?)
}

extension Work {
  /// False: what nobody listens to is dropped.
  public var outlivesSubscribers: Bool { false }

  /// Nothing follows from it.
  public mutating func note(_ report: RunReport, of number: Int) {}
}

/// What a run reports before it is over.
public enum RunReport: Hashable, Sendable {
  /// It is tried once more, as a load may be after a failure: what it gives is as new as that.
  case retried
  /// It takes long, and has come so far.
  case progress(LoadProgress)
}

/// How far a load has come that takes long.
public struct LoadProgress: Hashable, Sendable {
  /// How much is done.
  public var done: Int
  /// Of how much; nil where nobody knows.
  public var total: Int?
  /// What is counted, such as `bytes`; nil if the source doesn't say.
  public var unit: String?

  /// So much is done.
  public init(done: Int, of total: Int? = nil, unit: String? = nil) {
    (self.done, self.total, self.unit) = (done, total, unit)
  }
}

/// The numbers of the runs that some ``Work`` wants.
@frozen
public enum WantedNumbers: Sendable {
  /// None.
  case none
  /// One.
  case one(Int)
  /// Any number of them, from the smallest to the largest.
  case ascending([Int])
  /// All that are higher than the first number, up to the last, each begun once however many are under way; lower ones are
  /// dropped. A run that is over isn't wanted any more, without being taken out.
  case eachOnce(after: Int = 0, through: Int)

  @inlinable
  func contains(_ number: Int) -> Bool {
    switch self {
    case .none: false
    case .one(let wanted): wanted == number
    case .eachOnce(let first, let last): number > first && number <= last
    case .ascending(let numbers): numbers.firstIndex(notBefore: number) { $0 }.map { numbers[$0] == number } ?? false
    }
  }
}

extension Array {
  /// The place of the first element with a key of so much or more, in an array that is sorted by it.
  @inlinable
  func firstIndex(notBefore key: Int, _ keyOf: (Element) -> Int) -> Int? {
    var range = startIndex..<endIndex
    while let middle = range.isEmpty ? nil : range.lowerBound + range.count / 2 {
      range = keyOf(self[middle]) < key ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return range.lowerBound < endIndex ? range.lowerBound : nil
  }
}
