/// A part of a state that asks for something from outside, such as a load.
///
/// The part is a value and says only which runs it wants; a ``Feedback`` begins the runs that are wanted and not running,
/// drops those that run and aren't wanted any more, and hands in what comes of them. ``Load`` and ``Jobs`` are such parts;
/// others, such as a list of pages, conform to this.
///
/// A run belongs to one place in the state. If a step replaces the value there, the runs of the old value are dropped,
/// and those that the new one wants are begun, even if the new value is a copy of another one or of an older one. So runs
/// and revisions are numbered by ``UniqueNumber``: a value that counted them by itself would give a fresh value the numbers
/// of the one it replaces, and with them its answers.
public protocol Work {
  /// What an effect has to know of a run.
  associatedtype Request
  /// What a run gives.
  associatedtype Response

  /// A ``UniqueNumber``, another one after each change of what is wanted or of the failure; 0 before the first.
  var revision: Int { get }
  /// The runs that are wanted now.
  var wanted: WantedNumbers { get }
  /// The failure that stands.
  var failure: Failure? { get }
  /// Whether runs that have begun go on when nobody listens to the state any more, as an edit does that was sent.
  var outlivesSubscribers: Bool { get }

  /// What a wanted run asks for; nil if no run with this number is wanted.
  func request(_ number: Int) -> Request?

  /// The lowest number of a wanted run that is higher than another; nil if there is none. It is called where ``wanted`` is
  /// ``WantedNumbers/each(after:sum:)``.
  func wantedNumber(after number: Int) -> Int?

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

  /// Nil.
  public func wantedNumber(after number: Int) -> Int? { nil }

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

/// The numbers of the runs that some ``Work`` wants, each a ``UniqueNumber``.
@frozen
public enum WantedNumbers: Sendable {
  /// None.
  case none
  /// One.
  case one(Int)
  /// Any number of them, from the smallest to the largest.
  case ascending([Int])
  /// So many that they aren't listed: ``Work/wantedNumber(after:)`` gives them. Their sum shows in constant time whether
  /// they are those that run. Runs up to the number `after` were cancelled.
  case each(after: Int = 0, sum: RunSum)
}

/// A sum over the numbers of some runs, which is another one for other runs.
@frozen
public struct RunSum: Hashable, Sendable {
  @usableFromInline var sum: UInt64 = 0

  /// The sum over no runs.
  public init() {}

  /// Adds a number that isn't in the sum.
  @inlinable
  public mutating func add(_ number: Int) { sum &+= RunSum.mixed(number) }

  /// Takes a number out that is in the sum.
  @inlinable
  public mutating func remove(_ number: Int) { sum &-= RunSum.mixed(number) }

  /// The number with its bits mixed, so that equal sums of different numbers don't occur in practice: the last step of
  /// the generator SplitMix64.
  @inlinable
  static func mixed(_ number: Int) -> UInt64 {
    var bits = UInt64(truncatingIfNeeded: number) &* 0x9E37_79B9_7F4A_7C15
    bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
    return bits ^ bits >> 31
  }
}
