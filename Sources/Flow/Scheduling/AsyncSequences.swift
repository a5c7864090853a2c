extension ObservableConvertible {
  /// A stream of the values of an asynchronous sequence, and of its end. An error of the sequence is the stream's
  /// error.
  ///
  /// ```swift
  /// func transform(_ input: Input, on clock: any Scheduler) -> Output {
  ///   let place = Observable.values(of: locations(), on: clock)
  ///   return Output(place: place.asDriver(startingWith: nil) { _ in nil })
  /// }
  /// ```
  /// Each subscription reads the sequence from its start, and requests a value after the previous one was emitted. With
  /// an event loop the sequence runs on Swift's own threads. A `VirtualScheduler` runs it itself, so a test awaits
  /// nothing. Disposing of the subscription cancels the task that waits for the next value, and nothing more is
  /// emitted.
  ///
  /// A program whose input has ended doesn't wait for a sequence, which may be endless. A sequence that can be read
  /// only once, such as an `AsyncStream`, is for one subscriber; `share` lets several subscribers receive its values.
  ///
  /// While the sequence returns values without waiting, a virtual clock's time stands still. Therefore limit an endless
  /// sequence that never waits, for example by `take`; otherwise `run(until:)` doesn't return.
  ///
  /// - Parameters:
  ///   - sequence: the sequence.
  ///   - scheduler: the scheduler on whose thread the values are emitted, such as the one that `transform` receives.
  /// - Returns: the stream.
  public static func values<Values: AsyncSequence & Sendable>(
    of sequence: Values, on scheduler: any Scheduler
  ) -> Observable<Values.Element> where Self == Observable<Values.Element>, Values.Element: Sendable {
    .create { observer in
      let reading = SequenceReading(Cursor(sequence), on: scheduler, observer)
      reading.next()
      return reading.running
    }
  }
}

/// A subscription to the values of an asynchronous sequence. The running request owns it, and the scheduler owns the
/// request, so the subscription is deallocated with the scheduler.
private final class SequenceReading<Values: AsyncSequence & Sendable> where Values.Element: Sendable {
  private let cursor: Cursor<Values>
  private weak var scheduler: (any Scheduler)?
  private let observer: Observer<Values.Element>
  /// The running request.
  let running = SerialDisposable()

  init(_ cursor: Cursor<Values>, on scheduler: any Scheduler, _ observer: Observer<Values.Element>) {
    (self.cursor, self.scheduler, self.observer) = (cursor, scheduler, observer)
  }

  /// Requests the next value.
  func next() {
    guard let scheduler else { return }
    let answer = Observable<Values.Element?>.create { [cursor] answer in
      scheduler.runInBackground({ try await cursor.next() }, for: answer)
    }
    running.disposable = answer.subscribe { [self] event in
      switch event {
      case .next(let value?):
        observer.onNext(value)
        // The subscriber may have left while it received the value.
        if !observer.isDisposed { next() }
      case .next(nil): observer.onCompleted()
      case .error(let error): observer.onError(error)
      case .completed: break
      }
    }
  }
}

/// The current position in a sequence. Only one task at a time reads it.
private actor Cursor<Values: AsyncSequence & Sendable> where Values.Element: Sendable {
  private var iterator: Values.AsyncIterator

  init(_ sequence: Values) { iterator = sequence.makeAsyncIterator() }

  func next() async throws -> Values.Element? {
    // The property itself can't be changed across a suspension.
    var iterator = iterator
    defer { self.iterator = iterator }
    return try await iterator.next(isolation: self)
  }
}
