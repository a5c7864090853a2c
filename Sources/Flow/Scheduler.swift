/// Where time comes from: the event loop's clock in a program, a virtual one in a test.
///
/// Nothing else in this package reads a clock, so the same inputs at the same times give the same outputs.
public protocol Scheduler: AnyObject {
  /// The time since the scheduler's start.
  var now: Duration { get }
}
