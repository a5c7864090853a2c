extension ObservableConvertible {
  /// A stream of one value that asynchronous work gives, and completion; the work's error is the stream's.
  ///
  /// ```swift
  /// let issue = Observable.async(on: clock) { try await client.issue(id) }.timeout(.seconds(10), on: clock)
  /// ```
  /// Each subscription begins the work in a task of its own. With an event loop that runs beside the loop, on Swift's own
  /// threads; a ``VirtualScheduler`` runs it itself. The stream emits the result on the scheduler's thread, as a step of its
  /// own. Disposing of the subscription cancels the task, and nothing is emitted any more, even by work that never checks
  /// whether it is cancelled.
  ///
  /// Work that waits for the main actor gets its turn where the event loop serves that, as a program's main loop does on
  /// Linux.
  public static func async<Value: Sendable>(
    on scheduler: any Scheduler, _ work: @escaping @Sendable () async throws -> Value
  ) -> Observable<Value> where Self == Observable<Value> {
    .create { observer in scheduler.run(work, for: observer) }
  }
}

extension Observer {
  /// Emits what has come of asynchronous work.
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
  /// What comes of asynchronous work.
  package init(_ work: () async throws -> Success) async {
    do { self = .success(try await work()) } catch { self = .failure(error) }
  }
}
