import Flow
import WireJSON

@testable import NagareHTTP

/// A transport whose requests a test answers.
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

    /// Sends a part of the body.
    func send(_ body: String) -> Verdict { receiver?.receive(Array(body.utf8).span) ?? .refused }

    /// Ends the answer.
    func end(_ failure: TransferFailure? = nil) {
      let last = receiver
      receiver = nil
      last?.end(failure)
    }

    /// Sends a whole answer.
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
