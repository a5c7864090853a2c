public import WireJSON

/// A method that the other side calls: a request, or a notification, which has no id.
public struct Call {
  /// The method's name.
  public let method: WireText
  /// The parameters, an object; nil where nothing was said. They share the memory of the input they came in: what is
  /// kept for long is better copied.
  public let params: RawJSON?
  /// The request's id as it was written; nil for a notification.
  public let id: RawJSON?

  /// Whether nobody waits for an answer.
  public var isNotification: Bool { id == nil }
}

/// How a call is answered. An error is thrown instead.
public enum Answer {
  /// `{}`: there is nothing to say.
  case empty
  /// The result, written when its turn comes; it must be an object.
  case result((inout JSONWriter) -> Void)
  /// Later: the closure gets what to answer with, and gives back how to cancel. It runs at once, and never for a
  /// notification, which has no answer.
  case later((Reply) -> (() -> Void))
}

/// The answer to a request that is worked on: said once, whatever happens.
public final class Reply {
  typealias Outcome = Result<(inout JSONWriter) -> Void, RPCError>

  private var send: ((Outcome) -> Void)?

  init(_ send: @escaping (Outcome) -> Void) { self.send = send }

  /// Whether it was said; whatever else is said then goes nowhere.
  var isSaid: Bool { send == nil }

  /// Answers with a result, which must be an object.
  public func succeed(_ result: @escaping (inout JSONWriter) -> Void) { finish(.success(result)) }

  /// Answers with an error.
  public func fail(_ error: RPCError) { finish(.failure(error)) }

  private func finish(_ outcome: Outcome) {
    let send = send
    self.send = nil
    send?(outcome)
  }
}
