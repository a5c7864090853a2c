public import Nagare
internal import Reactor

/// What somebody looks for in a source that is live.
public struct SourceWatch: Sendable {
  /// What is looked for; nil for everything.
  public let query: String?
  /// What is filtered and sorted by; nil where that is nothing.
  public let filters: Filters?
  /// The state from which on to tell, for a source that keeps states; nil for now.
  public let since: String?
}

/// What answers a watch: what has happened, and how to hear what happens.
public struct SourceWatched: Sendable {
  let state: String?
  let missed: [SourceChange]
  let steps: @Sendable (EventLoop) -> Observable<SourceStep>

  /// An answer.
  ///
  /// - Parameters:
  ///   - steps: what happens from now on. It is read until nobody looks any more; what it throws ends it.
  ///   - state: the state that the first of them leads from; nil where the source keeps none.
  ///   - missed: what has happened since the state that was asked for.
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

/// What has happened to a source at one time.
public struct SourceStep: Sendable {
  let changes: RawJSON
  let state: String?
  let total: Int?

  /// Changes, in their order.
  ///
  /// - Parameters:
  ///   - changes: the changes.
  ///   - state: the state that they lead to; nil where the source keeps none.
  ///   - total: how many items there are in all by now, if that is known.
  public init(_ changes: SourceChange..., state: String? = nil, total: Int? = nil) {
    self.init(changes.json, state, total)
  }

  /// Nobody knows what has happened: the list is read again, where the user is.
  ///
  /// - Parameter state: the state that the source is in; nil where it keeps none.
  /// - Returns: the step.
  public static func everything(state: String? = nil) -> SourceStep { SourceStep("all".json, state, nil) }

  init(_ changes: RawJSON, _ state: String?, _ total: Int?) {
    (self.changes, self.state, self.total) = (changes, state, total)
  }
}
