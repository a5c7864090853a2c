public import Flow
internal import RPC
public import WireJSON

/// How a task ended: the result of `present`.
public enum TaskOutcome: Sendable {
  /// The user completed the task. The value is its result, if it has one.
  case completed(RawJSON?)
  /// The user cancelled the task.
  case cancelled
}

/// Shows tasks to the user for a view model, one at a time. It is declared among the inputs.
///
/// ```swift
/// struct Input: Ports {
///   let rename = Trigger()
///   let present = Presenter()
/// }
/// // …
/// state.on(input.rename) { $0.newName.startIfIdle() }
/// state.react(to: \.newName, by: input.present) { _ in .prompt("New name") }
/// ```
/// In a test there is no user: the test sets the answers.
///
/// ```swift
/// input.present.answer = { task in .just(.completed("Mei".json)) }
/// ```
public final class Presenter {
  /// Shows a task, which is an object with a `kind`, and returns its outcome as a stream. In a view, it sends the
  /// request `present` to the client (section 5 of the specification). Outside a view, it fails. Disposing of the
  /// subscription withdraws the task.
  public var answer: (_ task: RawJSON) -> Observable<TaskOutcome> = { _ in
    .error(LoadFailure(.unreachable, "the presenter doesn't belong to a view; in a test, give it an answer"))
  }

  /// The number of the newest task, so that the late end of an earlier task doesn't end the newest.
  private var newest = 0
  private var isPresenting = false

  /// A presenter that belongs to no view yet.
  public init() {}

  /// Presents a task when the returned stream is subscribed to. Disposing of the subscription withdraws the task.
  ///
  /// - Parameter task: the task of the user.
  /// - Returns: a stream of the result. It completes without a result if the user cancels, or if another task is shown.
  ///   It fails with a `LoadFailure` if the client can't present tasks, fails, or sends a result that doesn't fit the
  ///   task.
  public func callAsFunction<Value>(_ task: UserTask<Value>) -> Observable<Value> {
    .deferred { [self] in
      if let failure = task.failure {
        return .error(
          LoadFailure(.malformedResponse, "the task \"\(task.kind)\" can't be presented: \(failure.message)"))
      }
      guard !isPresenting else { return .empty() }
      isPresenting = true
      newest += 1
      let number = newest
      let end = { [self] in if number == newest { isPresenting = false } }
      return answer(task.json)
        .take(1)
        // The task ends before its result is sent, because a reaction to the result may present the next task.
        .do(onNext: { _ in end() }, onDispose: end)
        .flatMap { task.result(of: $0) }
    }
  }
}

extension Feedback {
  /// Presents a task to the user when a load begins; the task's result is the load's value. If the user cancels the
  /// task, or another task is shown, the load ends without a value and without a failure.
  ///
  /// ```swift
  /// state.on(input.rename) { $0.newName.startIfIdle() }
  /// state.react(to: \.newName, by: input.present) { .prompt("New name", text: $0.name) }
  /// state.on(finished: \.newName) { state, name in state.name = name }
  /// ```
  public func react<Value>(
    to path: WritableKeyPath<State, Load<Value>>, by presenter: Presenter, _ task: @escaping (State) -> UserTask<Value>
  ) {
    react(to: path) { state in presenter(task(state)).ifEmpty(switchTo: .error(CancellationError())) }
  }
}

extension UserTask {
  fileprivate func result(of outcome: TaskOutcome) -> Observable<Value> {
    guard case .completed(let json) = outcome else { return .empty() }
    do throws(DecodingFailure) {
      return try read(json).map(Observable.just) ?? .empty()
    } catch {
      let found = json.map { $0.text.prefix(80) } ?? "nothing"
      var failure = error
      failure.path.insert("value", at: 0)
      let isWhole = error.path.isEmpty && error.kind != .invalid
      let reason = isWhole ? "must have \(error.expected) as its value, not \(found)" : "is wrong: \(failure.message)"
      return .error(LoadFailure(.malformedResponse, "the client's answer to the task \"\(kind)\" \(reason)"))
    }
  }
}

extension Service {
  /// Sends the client a request to present a task in a view. Disposing of the subscription cancels the request.
  func present(_ task: RawJSON, in view: String) -> Observable<TaskOutcome> {
    .create { [unowned self] observer in
      guard client.presentsTasks else {
        let remedy = "set \"present\": true in \"capabilities\" of initialize"
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
    Field("view", \.view, "The view that the task belongs to."),
    Field("task", \.task, "The task: an object with its kind."))
}

struct PresentResult: Record {
  enum Outcome: String, JSONStringEnum { case completed, cancelled }

  let outcome: Outcome
  let value: RawJSON?

  static let fields = Fields(
    PresentResult.init,
    Field("outcome", \.outcome, "Whether the user finished or cancelled the task."),
    Field("value", \.value, "The result of the task."))
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
        throw LoadFailure(.malformedResponse, "the client's answer to \"present\" can't be used: \(error.message)")
      }
    }
  }
}
