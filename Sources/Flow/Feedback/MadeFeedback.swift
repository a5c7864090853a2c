/// A ``Feedback`` of any state, as the view whose view model made it sees it.
@usableFromInline
package protocol AnyFeedback: AnyObject {
  /// The type of the state.
  var stateName: String { get }
  /// Whether a run is under way, such as an edit that its source hasn't answered.
  var hasRuns: Bool { get }
  /// The properties of the state that ask for something, of which no rule knows, with the remedy.
  var partsWithoutRules: [String] { get }

  /// Finds the failures that no output sends, by having each effect fail for a moment.
  ///
  /// - Parameter haveOutputsChanged: whether any output has changed since it was asked last.
  /// - Returns: a sentence for each effect, with the remedy.
  func findUnsentFailures(_ haveOutputsChanged: () -> Bool) -> [String]

  /// Carries out the rules for the closing, because no more input comes. The feedback goes on until ``close()``.
  func endInput()

  /// Stops the feedback for good: it ends its subscriptions and drops its rules.
  ///
  /// Rules are closures. They may refer to another feedback, whose rules refer to this one. Without its rules, neither
  /// keeps the other alive. Runs that outlive their subscribers go on, and the rules stay until the last of them is answered.
  func close()
}

/// A weak reference to a feedback that a view model has made.
package struct MadeFeedback {
  /// The feedback; nil when it has gone.
  package private(set) weak var feedback: (any AnyFeedback)?
}

extension TimerQueue {
  @usableFromInline
  func record(_ feedback: any AnyFeedback) {
    if madeFeedbacks != nil { madeFeedbacks?.append(MadeFeedback(feedback: feedback)) }
  }

  /// Runs `body`, and returns its result and the feedbacks that it made on this queue's scheduler.
  ///
  /// The scheduler keeps the record because each feedback is made with one, so no variable of the whole process is needed.
  package func recordFeedbacks<Result>(of body: () -> Result) -> (result: Result, feedbacks: [MadeFeedback]) {
    let outer = madeFeedbacks
    madeFeedbacks = []
    let result = body()
    let feedbacks = madeFeedbacks ?? []
    madeFeedbacks = outer
    return (result, feedbacks)
  }
}

extension FeedbackCore: AnyFeedback {
  @usableFromInline package var stateName: String { "\(State.self)" }
  @usableFromInline package var hasRuns: Bool { runs.value > 0 }

  @usableFromInline
  package func close() {
    turn.start = {}
    turn.stop = {}
    stop()
    follow = []
    if runs.value == 0 {
      dropRules()
    } else {
      // The last effect, so that it sees the runs as the others have left them.
      unsafe effects.append(AnyEffect(\State.self, turn) { core, _ in if !core.hasRuns { core.dropRules() } })
    }
  }

  private func dropRules() {
    // Released only after the exchange: a rule's closure may hold what ends other feedbacks.
    let dropped = unsafe effects
    unsafe effects = []
    withExtendedLifetime(dropped) {}
  }
}
