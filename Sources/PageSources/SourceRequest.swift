internal import Paging
internal import Flow
internal import RPC
internal import WireJSON

/// A request to the program or client that provides a source: for a page, an item, a watch, or an edit.
struct SourceRequest<Result> {
  let source: String
  let method: String
  let params: (inout JSONWriter) -> Void
  /// Reads the answer; nil if the answer has no result.
  private let read: (RawJSON) throws(LoadFailure) -> Result?
  /// Whether the request may succeed if it is repeated after an unusable answer.
  private let isRepeated: Bool
  /// Receives reports of progress; nil if they are ignored.
  let onProgress: ((RawJSON) -> Void)?

  init(
    _ method: SourceMethod, of source: String, params: @escaping (inout JSONWriter) -> Void, isRepeated: Bool = false,
    onProgress: ((RawJSON) -> Void)? = nil, read: @escaping (RawJSON) throws(LoadFailure) -> Result?
  ) {
    (self.method, self.source, self.params, self.read) = (method.name, source, params, read)
    (self.isRepeated, self.onProgress) = (isRepeated, onProgress)
  }

  /// Forwards an answer to the observer.
  func answer(_ answer: Swift.Result<RawJSON, RPCError>, to observer: Observer<Result>) {
    do throws(LoadFailure) {
      switch answer {
      case .success(let json): if let result = try read(json) { observer.onNext(result) }
      case .failure(let error):
        throw LoadFailure(code: error.code, message: error.message, isRetryable: error.isRetryable)
      }
      observer.onCompleted()
    } catch {
      observer.onError(error)
    }
  }

  /// Returns the failure of a request whose answer can't be used.
  func failure(ofAnswer message: ArraySlice<UInt8>, _ error: RPCError) -> LoadFailure {
    let reason: String
    switch error.code {
    case RPCError.Code.invalidRequest.rawValue:
      reason = "answered with neither \"result\" nor \"error\": \(StderrTail.cut(message))"
    case RPCError.Code.limitPassed.rawValue:
      reason =
        "answered \(method) with a message that is too large: \(error.message); return less, or raise --max-message-size"
    default:
      let place = error.data?.json.member("offset").map { " at byte \($0.text)" } ?? ""
      reason = "answered \(method) with a message that can't be read: \(error.message)\(place)"
    }
    return LoadFailure(.malformedResponse, "the source \"\(source)\" \(reason)", isRetryable: isRepeated)
  }
}
