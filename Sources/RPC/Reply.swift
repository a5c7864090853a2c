package import WireJSON

/// The response to a request that takes time. It can be sent once.
package final class Reply {
  typealias Outcome = Result<(inout JSONWriter) -> Void, RPCError>

  private var send: ((Outcome) -> Void)?

  init(_ send: @escaping (Outcome) -> Void) { self.send = send }

  /// Whether the response was sent. Later ones are ignored.
  var isSent: Bool { send == nil }

  /// Responds with a result, which must be an object.
  package func succeed(_ result: @escaping (inout JSONWriter) -> Void) { finish(.success(result)) }

  /// Responds with an error.
  package func fail(_ error: RPCError) { finish(.failure(error)) }

  private func finish(_ outcome: Outcome) {
    let send = send
    self.send = nil
    send?(outcome)
  }
}
