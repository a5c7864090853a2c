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
  /// The main actor stands still while an event loop runs: work that waits for it waits for ever.
  public static func async<Value: Sendable>(
    on scheduler: any Scheduler, _ work: @escaping @Sendable () async throws -> Value
  ) -> Observable<Value> where Self == Observable<Value> {
    .create { observer in scheduler.run(work, for: observer) }
  }
}

/// Who waits or lives on a scheduler's thread, by numbers that other threads can keep.
package struct Awaited {
  private var objects: [Int: AnyObject] = [:]
  private var lastNumber = 0

  /// Nobody.
  package init() {}

  /// How many wait.
  package var count: Int { objects.count }

  /// Adds one who waits, and gives the number to find it by.
  package mutating func add(_ object: AnyObject) -> Int {
    lastNumber += 1
    objects[lastNumber] = object
    return lastNumber
  }

  /// One who waits, by the number; nil if it waits no more.
  package subscript(number: Int) -> AnyObject? { objects[number] }

  /// Takes one out; nil if it waits no more.
  @discardableResult
  package mutating func remove(_ number: Int) -> AnyObject? { objects.removeValue(forKey: number) }
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
