internal import Flow
internal import RPC
internal import WireJSON

/// The answer to a call that waits until all that it began is over.
final class WaitingReply {
  private var reply: Reply?
  private var outcome: Outcome?

  /// Takes what has become of it all.
  func receive(_ outcome: Outcome) {
    self.outcome = outcome
    send()
  }

  /// Takes what to answer with, and gives how to cancel the call. What a cancelled call began goes on.
  func start(_ reply: Reply) -> (() -> Void) {
    self.reply = reply
    send()
    return {}
  }

  private func send() {
    guard let reply, let outcome else { return }
    reply.succeed(WaitResult(outcome: outcome).write)
  }
}

/// What a call that can wait has among its parameters.
struct WaitParams: Record {
  let wait: Bool?

  static let fields = Fields(
    WaitParams.init,
    Field("wait", \.wait, "Whether the response comes only when all work that the call started is finished."))
}

/// The result of a call that can wait.
struct WaitResult: Record {
  let outcome: Outcome?

  static let fields = Fields(
    WaitResult.init, Field("outcome", \.outcome, "With `wait`: the outcome of the work that the call started."))
}

extension Outcome: JSONStringEnum {}
