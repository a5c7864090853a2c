extension ObservableConvertible {
  /// A stream of the one value that asynchronous work returns. An error of the work is the stream's error.
  ///
  /// ```swift
  /// let issue = Observable.async(on: clock) { try await client.issue(id) }.timeout(.seconds(10), on: clock)
  /// ```
  /// Each subscription starts the work in a separate task. With an event loop, the task runs on Swift's own threads, in
  /// parallel to the loop. A ``VirtualScheduler`` runs the task itself. The stream emits the result on the scheduler's
  /// thread, in a separate step. Disposing of the subscription cancels the task. After that the stream emits nothing,
  /// even if the work never checks whether it is cancelled.
  ///
  /// Work that waits for the main actor continues when the event loop serves the main queue. A program's main loop does
  /// so on Linux.
  public static func async<Value: Sendable>(
    on scheduler: any Scheduler, _ work: @escaping @Sendable () async throws -> Value
  ) -> Observable<Value> where Self == Observable<Value> {
    .create { observer in scheduler.run(work, for: observer) }
  }
}

extension Observer {
  /// Emits the result of asynchronous work.
  package func end(with outcome: Result<Element, any Error>) {
    switch outcome {
    case .success(let value):
      onNext(value)
      onCompleted()
    case .failure(let error): onError(error)
    }
  }
}

extension Result where Failure == any Error {
  /// Runs asynchronous work, and keeps its value or its error.
  package init(_ work: () async throws -> Success) async {
    do { self = .success(try await work()) } catch { self = .failure(error) }
  }
}
