/// A part of a state that requests work outside the state, such as a load.
///
/// The part is a value and lists only the runs that it wants. A ``Feedback`` begins the runs that are wanted, drops the
/// ones that aren't wanted any more, and passes their results to the part. ``Load``, ``Jobs`` and ``Form`` are effects,
/// and so is a list of pages.
///
/// A run belongs to one property of the state. If a step replaces the value there, the runs of the old value are
/// dropped, and the runs that the new value wants are begun, even if the new value is a copy. Therefore runs and
/// revisions have a ``UniqueNumber``. If each value counted from 1, a new value would have the same numbers as the
/// value that it replaces, and receive that value's answers.
public protocol Effect {
  /// The data that a run needs.
  associatedtype Request
  /// The result of a run.
  associatedtype Response
  /// The response of a run whose stream ends without a value; nil if such an end is a failure.
  static var emptyResponse: Response? { get }

  /// Whether others wait for the runs: a call that waits, ``Feedback/isLoading``, and the end of the input. True by
  /// default.
  static var isAwaited: Bool { get }

  /// A ``UniqueNumber`` that changes whenever ``wanted`` or ``failure`` changes; 0 before the first change.
  var revision: Int { get }
  /// The runs that are wanted now.
  var wanted: WantedNumbers { get }
  /// The current failure; nil if there is none.
  var failure: Failure? { get }
  /// Whether running work continues after the last subscriber of the state has left. This suits edits that were already
  /// sent.
  var outlivesSubscribers: Bool { get }

  /// The data for a wanted run; nil if no run with this number is wanted.
  func request(_ number: Int) -> Request?

  /// The lowest number of a wanted run above `number`; nil if there is none. It is called only if ``wanted`` is
  /// ``WantedNumbers/each(after:sum:)``.
  func wantedNumber(after number: Int) -> Int?

  /// Records what a run reports before its end.
  mutating func record(_ report: RunReport, of number: Int)

  /// Records the response of a run, which is then over. If the response is faulty, it throws the error, and
  /// ``end(_:failure:)`` is called with it. It may have used the good parts of the response before that.
  mutating func receive(_ response: Response, of number: Int) throws

  /// Records the end of a run without a response. The run has failed, or was cancelled, for example by the user.
  mutating func end(_ number: Int, failure: Failure?)
}

extension Effect {
  /// `()` if the response type is `Void`; otherwise nil.
  @inlinable public static var emptyResponse: Response? { () as? Response }

  /// True: a call that waits also waits for the runs that follow from it.
  @inlinable public static var isAwaited: Bool { true }

  /// False: runs are dropped when the last subscriber leaves.
  public var outlivesSubscribers: Bool { false }

  /// Nil: only an effect that wants many runs implements it.
  public func wantedNumber(after number: Int) -> Int? { nil }

  /// Ignores the report.
  public mutating func record(_ report: RunReport, of number: Int) {}
}
