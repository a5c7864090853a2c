public import Nagare
internal import Reactor

/// A request to report the changes of a live source.
public struct SourceWatch: Sendable {
  /// The query; nil for everything.
  public let query: String?
  /// The filters and the sorting; nil if there are none.
  public let filters: Filters?
  /// The last known state, for a source that keeps states. Nil requests only changes from now on.
  public let since: String?
}

/// The answer to a watch: the missed changes, and a sequence of further changes.
public struct SourceWatched: Sendable {
  let state: String?
  let missed: [SourceChange]
  let steps: @Sendable (EventLoop) -> Observable<SourceStep>

  /// Creates an answer.
  ///
  /// - Parameters:
  ///   - steps: the changes from now on. They are read until the watch ends. If the sequence throws, reading stops.
  ///   - state: the state before the first step; nil if the source doesn't keep states.
  ///   - missed: the changes since the requested state.
  public init<Steps: AsyncSequence & Sendable>(
    _ steps: Steps, state: String? = nil, missed: [SourceChange] = []
  ) where Steps.Element == SourceStep {
    self.state = state
    self.missed = missed
    self.steps = { .values(of: steps, on: $0) }
  }

  var answer: RawJSON {
    ["state": state?.json, "changes": missed.isEmpty ? nil : missed.json].compactMapValues(\.self).json
  }
}

/// Changes of a source that happened at the same time.
public struct SourceStep: Sendable {
  let changes: RawJSON
  let state: String?
  let total: Int?

  /// Creates a step.
  ///
  /// - Parameters:
  ///   - changes: the changes, in order.
  ///   - state: the state after the changes; nil if the source doesn't keep states.
  ///   - total: the number of items in the source after the changes, if it is known.
  public init(_ changes: SourceChange..., state: String? = nil, total: Int? = nil) {
    self.init(changes.json, state, total)
  }

  /// Returns a step for unknown changes: the list reloads at the user's position.
  ///
  /// - Parameter state: the source's current state; nil if the source doesn't keep states.
  /// - Returns: the step.
  public static func everything(state: String? = nil) -> SourceStep { SourceStep("all".json, state, nil) }

  init(_ changes: RawJSON, _ state: String?, _ total: Int?) {
    (self.changes, self.state, self.total) = (changes, state, total)
  }
}
