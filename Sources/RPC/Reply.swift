package import WireJSON

/// The answer to a request that is worked on: said once, whatever happens.
package final class Reply {
  typealias Outcome = Result<(inout JSONWriter) -> Void, RPCError>

  private var send: ((Outcome) -> Void)?

  init(_ send: @escaping (Outcome) -> Void) { self.send = send }

  /// Whether it was said; whatever else is said then goes nowhere.
  var isSent: Bool { send == nil }

  /// Answers with a result, which must be an object.
  package func succeed(_ result: @escaping (inout JSONWriter) -> Void) { finish(.success(result)) }

  /// Answers with an error.
  package func fail(_ error: RPCError) { finish(.failure(error)) }

  private func finish(_ outcome: Outcome) {
    let send = send
    self.send = nil
    send?(outcome)
  }
}
