/// A part of a state that asks for work outside, such as a load.
///
/// The part is a value and lists only the runs that it wants. A ``Feedback`` begins the runs that are wanted, drops the
/// ones that aren't wanted any more, and passes their results to the part. ``Load``, ``Jobs`` and ``Form`` are effects,
/// and so is a list of pages.
///
/// A run belongs to one property of the state. If a step replaces the value there, the runs of the old value are dropped,
/// and the runs that the new value wants are begun, even if the new value is a copy. Runs and revisions therefore have a
/// ``UniqueNumber``: with a count of its own, a fresh value would have the numbers of the value that it replaces, and
/// receive that one's answers.
public protocol Effect {
  /// What an effect has to know of a run.
  associatedtype Request
  /// What a run gives.
  associatedtype Response
  /// The response of a run whose stream ends without a value; nil if such an end is a failure.
  static var emptyResponse: Response? { get }

  /// Whether anybody waits for the runs: a call that waits, ``Feedback/isLoading``, and the end of the input. It is true by default.
  static var isAwaited: Bool { get }

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
  mutating func record(_ report: RunReport, of number: Int)

  /// Takes what a run has given. The run is over with that. It throws what is wrong with the response, whose good parts
  /// may have been taken all the same; ``end(_:failure:)`` is called with it.
  mutating func receive(_ response: Response, of number: Int) throws

  /// Takes note that a run is over without a response: because it failed, or was given up, as by a user who cancels.
  mutating func end(_ number: Int, failure: Failure?)
}

extension Effect {
  /// Nothing where the response is `Void`; otherwise nil.
  @inlinable public static var emptyResponse: Response? { () as? Response }

  /// True: a call that waits waits for the runs that follow from it.
  @inlinable public static var isAwaited: Bool { true }

  /// False: what nobody listens to is dropped.
  public var outlivesSubscribers: Bool { false }

  /// Nil.
  public func wantedNumber(after number: Int) -> Int? { nil }

  /// Nothing follows from it.
  public mutating func record(_ report: RunReport, of number: Int) {}
}
