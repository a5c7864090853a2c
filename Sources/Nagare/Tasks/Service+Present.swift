internal import Flow
internal import RPC
internal import WireJSON

extension Service {
  /// Asks the client to present a task in a view. Disposing of the subscription takes it away.
  func present(_ task: RawJSON, in view: String) -> Observable<TaskOutcome> {
    .create { [unowned self] observer in
      guard client.presentsTasks else {
        let remedy = "say \"present\": true in \"capabilities\" of initialize"
        observer.onError(LoadFailure(.unreachable, "the client presents no tasks; \(remedy)"))
        return AnyDisposable.empty
      }
      let number = peer.request("present") { writer in
        PresentParams(view: view, task: task).write(to: &writer)
      } completion: { answer in
        do throws(LoadFailure) {
          observer.onNext(try TaskOutcome(answer))
          observer.onCompleted()
        } catch {
          observer.onError(error)
        }
      }
      return AnyDisposable { [unowned self] in peer.cancel(number) }
    }
  }
}

struct PresentParams: Record {
  let view: String
  let task: RawJSON

  static let fields = Fields(
    PresentParams.init,
    Field("view", \.view, "The view that presents it."),
    Field("task", \.task, "What the user is to do: an object with its kind."))
}

struct PresentResult: Record {
  enum Outcome: String, JSONStringEnum { case completed, cancelled }

  let outcome: Outcome
  let value: RawJSON?

  static let fields = Fields(
    PresentResult.init,
    Field("outcome", \.outcome, "Whether the user has done it or left it."),
    Field("value", \.value, "The task's result."))
}

extension TaskOutcome {
  init(_ answer: Result<RawJSON, RPCError>) throws(LoadFailure) {
    switch answer {
    case .failure(let error): throw LoadFailure(error)
    case .success(let json):
      do throws(DecodingFailure) {
        let result = try PresentResult(json: json)
        self = result.outcome == .completed ? .completed(result.value.map(RawJSON.init(copying:))) : .cancelled
      } catch {
        throw LoadFailure(.malformedResponse, "the client's answer to \"present\" is none: \(error.message)")
      }
    }
  }
}
