internal import WireJSON
internal import Flow

/// What makes requests.
protocol Transport: AnyObject {
  /// Makes one request. The receiver is held until its end, or until the transfer is disposed of. It is called later, and
  /// never by this call.
  func get(_ url: WebAddress, _ headers: [String: String], _ receiver: any AnswerReceiver) -> any Transfer
}

/// A request that is under way. Disposing of it closes its connection; the receiver isn't called any more.
protocol Transfer: Disposable {
  /// Goes on after the receiver has answered ``Verdict/paused``.
  func resume()
}

/// What becomes of a part of an answer.
enum Verdict {
  case taken
  /// It isn't taken. Nothing more is read, and the part comes again after ``Transfer/resume()``.
  case paused
  /// The transfer fails.
  case refused
}

/// Takes an answer part by part.
protocol AnswerReceiver: AnyObject {
  /// Takes status and headers. False has the transfer fail.
  func receive(_ head: HTTPAnswer) -> Bool
  /// Takes a part of the body, unpacked.
  func receive(_ bytes: Span<UInt8>) -> Verdict
  /// The answer is complete, or has failed.
  func end(_ failure: TransferFailure?)
}

extension Transport {
  /// Makes a request whenever somebody subscribes, and emits the answer, whatever its status. The body has so many bytes
  /// at most, unpacked. Fails with a ``TransferFailure``.
  func answer(_ url: WebAddress, _ headers: [String: String], limit: Int) -> Observable<HTTPAnswer> {
    .create { [self] observer in get(url, headers, WholeAnswer(limit: limit, observer)) }
  }
}

/// Takes a whole answer.
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
