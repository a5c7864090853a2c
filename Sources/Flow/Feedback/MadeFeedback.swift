/// A ``Feedback`` with any type of state, for the view whose view model made it.
@usableFromInline
package protocol AnyFeedback: AnyObject {
  /// The type of the state.
  var stateName: String { get }
  /// Whether it has current runs, such as an edit that its source hasn't answered.
  var hasRuns: Bool { get }
  /// The properties of the state that request something but have no rule, each with the remedy.
  var partsWithoutRules: [String] { get }

  /// Finds failures that no output sends. It makes each effect fail for a moment, and checks whether an output changes.
  ///
  /// - Parameter haveOutputsChanged: whether any output has changed since the last call.
  /// - Returns: a sentence with the remedy for each effect whose failures aren't sent.
  func findUnsentFailures(_ haveOutputsChanged: () -> Bool) -> [String]

  /// Runs the rules for the closing, because the input has ended. The feedback continues until ``close()``.
  func endInput()

  /// Stops the feedback permanently: it ends its subscriptions and drops its rules.
  ///
  /// Rules are closures. They may refer to another feedback, whose rules refer to this one. Without its rules, neither
  /// keeps the other alive. Runs that outlive their subscribers continue, and the rules stay until the last of them is
  /// answered.
  func close()
}

/// A weak reference to a feedback that a view model has made.
package struct MadeFeedback {
  /// The feedback; nil after its deallocation.
  package private(set) weak var feedback: (any AnyFeedback)?
}

extension TimerQueue {
  @usableFromInline
  func record(_ feedback: any AnyFeedback) {
    if madeFeedbacks != nil { madeFeedbacks?.append(MadeFeedback(feedback: feedback)) }
  }

  /// Runs `body`, and returns its result and the feedbacks that it made on this queue's scheduler.
  ///
  /// The scheduler keeps the record because each feedback is made with one, so no global variable is needed.
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
      // The last effect, so that it runs after all others have updated their runs.
      unsafe effects.append(AnyEffect(\State.self, turn) { core, _ in if !core.hasRuns { core.dropRules() } })
    }
  }

  private func dropRules() {
    // Released only after the exchange, because deallocating a rule's closure may close other feedbacks.
    let dropped = unsafe effects
    unsafe effects = []
    withExtendedLifetime(dropped) {}
  }
}
