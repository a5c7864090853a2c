import Flow
import WireJSON

@testable import NagareHTTP

/// Requests that are answered as a test likes, when it likes.
final class FakeTransport: Transport {
  final class Request: Transfer {
    let url: String
    let headers: [String: String]
    private var receiver: (any AnswerReceiver)?
    private(set) var resumed = 0
    var isOver: Bool { receiver == nil }

    init(_ url: WebAddress, _ headers: [String: String], _ receiver: any AnswerReceiver) {
      (self.url, self.headers, self.receiver) = (url.text, headers, receiver)
    }

    func dispose() { receiver = nil }
    func resume() { resumed += 1 }

    /// Answers with a head.
    func begin(_ status: Int, _ headers: [String: String] = [:]) -> Bool {
      receiver?.receive(HTTPAnswer(status: status, headers: headers)) ?? false
    }

    /// Goes on with a part of the body.
    func send(_ body: String) -> Verdict { receiver?.receive(Array(body.utf8).span) ?? .refused }

    /// Ends.
    func end(_ failure: TransferFailure? = nil) {
      let last = receiver
      receiver = nil
      last?.end(failure)
    }

    /// Answers in one go.
    func answer(_ status: Int, _ headers: [String: String] = [:], _ body: String = "[]") {
      _ = begin(status, headers)
      _ = send(body)
      end()
    }
  }

  private(set) var requests: [Request] = []
  var running: Int { requests.count { !$0.isOver } }

  func get(_ url: WebAddress, _ headers: [String: String], _ receiver: any AnswerReceiver) -> any Transfer {
    let request = Request(url, headers, receiver)
    requests.append(request)
    return request
  }
}
