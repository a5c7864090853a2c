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

/// Objects on a scheduler's thread that other threads have answers or values for, by numbers that those can keep.
package struct Awaited {
  private var objects: [Int: (object: AnyObject, isInBackground: Bool)] = [:]
  private var lastNumber = 0
  private var backgroundCount = 0

  /// How many objects there are.
  package var count: Int { objects.count }
  /// Whether all objects are in the background: nobody waits for the end of a feed, which may have none.
  package var isIdle: Bool { objects.count == backgroundCount }
  /// Whether any object is in the background.
  package var hasBackground: Bool { backgroundCount > 0 }

  /// No objects.
  package init() {}

  /// Adds an object.
  ///
  /// - Parameters:
  ///   - object: what the answer or the values are for.
  ///   - isInBackground: whether nobody waits for its end, as with a feed.
  /// - Returns: the number to find it by.
  package mutating func add(_ object: AnyObject, isInBackground: Bool = false) -> Int {
    lastNumber += 1
    objects[lastNumber] = (object, isInBackground)
    if isInBackground { backgroundCount += 1 }
    return lastNumber
  }

  /// The object with a number; nil if it was removed.
  package subscript(number: Int) -> AnyObject? { objects[number]?.object }

  /// Removes an object; nil if it was removed before.
  @discardableResult
  package mutating func remove(_ number: Int) -> AnyObject? {
    guard let (object, isInBackground) = objects.removeValue(forKey: number) else { return nil }
    if isInBackground { backgroundCount -= 1 }
    return object
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
