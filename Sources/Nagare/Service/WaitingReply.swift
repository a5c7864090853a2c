internal import Flow
internal import RPC
internal import WireJSON

/// The answer to a call that waits until all that it began is over.
final class WaitingReply {
  private var reply: Reply?
  private var outcome: Outcome?

  /// Takes what has become of it all.
  func take(_ outcome: Outcome) {
    self.outcome = outcome
    send()
  }

  /// Takes what to answer with. If the call is cancelled, what it began goes on.
  ///
  /// - Returns: how to cancel the call.
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

/// The result of a call that waits.
struct WaitResult: Record {
  let outcome: Outcome

  static let fields = Fields(
    WaitResult.init, Field("outcome", \.outcome, "What has become of all that the call began."))
}

extension Outcome: JSONStringEnum {}
