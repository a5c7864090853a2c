internal import Flow
internal import RPC
internal import WireJSON

/// The answer to a call with `"wait":true`. It is sent when both the reply and the outcome are known.
final class WaitingReply {
  private var reply: Reply?
  private var outcome: Outcome?

  /// Receives the outcome of all work that the call began.
  func receive(_ outcome: Outcome) {
    self.outcome = outcome
    send()
  }

  /// Receives the reply to answer with. Returns a closure that is called if the call is cancelled. It does nothing,
  /// because the work that the call began continues.
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

/// The parameter of all calls that can wait.
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
