internal import WireJSON
internal import Flow

/// Sends HTTP requests.
protocol Transport: AnyObject {
  /// Sends a request. The receiver stays in memory until its end, or until the transfer is disposed of. It is called
  /// later, never during this call.
  func get(_ url: WebAddress, _ headers: [String: String], _ receiver: any AnswerReceiver) -> any Transfer
}

/// A running request. Disposing of it closes its connection; after that the receiver isn't called any more.
protocol Transfer: Disposable {
  /// Continues after the receiver has returned ``Verdict/paused``.
  func resume()
}

/// The receiver's decision on a part of an answer.
enum Verdict {
  case taken
  /// The part isn't accepted now. Nothing more is read, and the part is passed again after ``Transfer/resume()``.
  case paused
  /// The transfer fails.
  case refused
}

/// Receives an answer in parts.
protocol AnswerReceiver: AnyObject {
  /// Receives the status and headers. If it returns false, the transfer fails.
  func receive(_ head: HTTPAnswer) -> Bool
  /// Receives a part of the body, after decompression.
  func receive(_ bytes: Span<UInt8>) -> Verdict
  /// Called when the answer is complete or has failed.
  func end(_ failure: TransferFailure?)
}

extension Transport {
  /// Returns a stream that sends a request for each subscriber, and emits the answer, whatever its status. `limit` is
  /// the maximum size of the body in bytes, after decompression. Fails with a ``TransferFailure``.
  func answer(_ url: WebAddress, _ headers: [String: String], limit: Int) -> Observable<HTTPAnswer> {
    .create { [self] observer in get(url, headers, WholeAnswer(limit: limit, observer)) }
  }
}

/// Receives a whole answer.
private final class WholeAnswer: AnswerReceiver {
  private let limit: Int
  private let observer: Observer<HTTPAnswer>
  private var answer = HTTPAnswer(status: 0)
  private var isTooLarge = false

  init(limit: Int, _ observer: Observer<HTTPAnswer>) { (self.limit, self.observer) = (limit, observer) }

  func receive(_ head: HTTPAnswer) -> Bool {
    answer = head
    return true
  }

  func receive(_ bytes: Span<UInt8>) -> Verdict {
    isTooLarge = answer.body.count + bytes.count > limit
    if isTooLarge { return .refused }
    answer.body.append(addingCapacity: bytes.count) { $0.append(copying: bytes) }
    return .taken
  }

  func end(_ failure: TransferFailure?) {
    if let failure { return observer.onError(isTooLarge ? .tooLarge : failure) }
    observer.onNext(answer)
    observer.onCompleted()
  }
}
