/// Decides which lines to print about steps that run long. All times are passed to it.
///
/// - At most one step is running. A step that begins within another one replaces it.
/// - A step is reported once while it runs, and, if it was, once more at its end.
package struct StepTimer {
  /// The running time from which a step is reported.
  package static let limit = Duration.milliseconds(100)

  private var step: (name: String, start: Duration)?
  /// The rule that the step is running, such as `on(search) of Shop.Search.State`.
  private var rule: String?
  private var isReported = false

  package init() {}

  /// Records the beginning of a step, such as `the input "search" of the view "v1" (screen articles)`.
  package mutating func begin(_ name: String, at time: Duration) {
    step = (name, time)
    rule = nil
    isReported = false
  }

  /// Records the rule that the step is running now; nil for none.
  package mutating func carryOut(_ rule: String?) { self.rule = rule }

  /// Records the end of the step. Returns the line to print, if the step was reported.
  package mutating func end(at time: Duration) -> String? {
    defer { step = nil }
    guard let step, isReported else { return nil }
    return "\(step.name) has ended after \(StepTimer.text(time - step.start))"
  }

  /// When to check the step; nil if no running step may have to be reported.
  package var nextLook: Duration? { isReported ? nil : step.map { $0.start + StepTimer.limit } }

  /// Returns the line to print at a time, if the step has run long and wasn't reported yet.
  package mutating func look(at time: Duration) -> String? {
    guard let step, let nextLook, time >= nextLook else { return nil }
    isReported = true
    let place = rule.map { ", now in \($0)" } ?? ""
    return "\(step.name) has been running for \(StepTimer.text(time - step.start))\(place)"
  }

  private static func text(_ time: Duration) -> String {
    "\(time.components.seconds * 1000 + time.components.attoseconds / 1_000_000_000_000_000) ms"
  }
}
