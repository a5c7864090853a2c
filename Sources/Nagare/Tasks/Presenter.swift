public import Flow
internal import RPC
public import WireJSON

/// What became of a task: the result of `present`.
public enum TaskOutcome: Sendable {
  /// The user has done it, with a value where the task has one.
  case completed(RawJSON?)
  /// The user has left it.
  case cancelled
}

/// The way from a view model to its user: presents tasks, one at a time. It stands among the inputs.
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
/// In a test nobody is asked: the test gives the answers.
///
/// ```swift
/// input.present.answer = { task in .just(.completed("Mei".json)) }
/// ```
public final class Presenter {
  /// Shows a task, an object with its `kind`, and gives what became of it. A view's presenter asks the client, by the
  /// request `present` (section 5 of the specification); one that belongs to no view fails. Disposing of the
  /// subscription takes the task away.
  public var answer: (_ task: RawJSON) -> Observable<TaskOutcome> = { _ in
    .error(LoadFailure(.unreachable, "the presenter doesn't belong to a view; in a test, give it an answer"))
  }

  /// Counts the tasks, so that one that ends late doesn't end the next one.
  private var newest = 0
  private var isPresenting = false

  /// Belongs to no view yet.
  public init() {}

  /// Presents a task when it is subscribed to, and takes it away when the subscription is disposed of.
  ///
  /// - Parameter task: what the user is to do.
  /// - Returns: the result and completion; completion alone if the user cancels, or does another task at the time; a
  ///   `LoadFailure` if the client can't present tasks, fails, or answers something else than the task's result.
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
        // Over as soon as it is answered: what follows from the result may be the next task.
        .do(onNext: { _ in end() }, onDispose: end)
        .flatMap { task.result(of: $0) }
    }
  }
}

extension Feedback {
  /// Says what the user is asked for a load: a task, presented when the load begins. If the user cancels it, or is at
  /// another one, the load ends without a value and without a failure.
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
  /// Asks the client to present a task in a view. Disposing of the subscription takes it away.
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
