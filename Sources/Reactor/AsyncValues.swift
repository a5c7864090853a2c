public import Flow

extension ObservableConvertible {
  /// A stream of what an asynchronous sequence gives, and of its end; what it throws is the stream's error.
  ///
  /// ```swift
  /// Observable.values(of: socket.messages, on: loop)
  /// ```
  /// Each subscription reads the sequence in a task of its own, beside the loop. Each value is emitted on the loop's thread,
  /// as a step of its own, and only then the next one is asked for. Disposing of the subscription cancels the task, and
  /// nothing is emitted any more.
  ///
  /// A sequence that can be read only once, as `AsyncStream` can, is for one subscriber; `share` lets several have what
  /// it gives.
  ///
  /// It is background work, as a sequence may have no end: a program whose input has ended doesn't wait for it, unless a
  /// load is under way.
  public static func values<Values: AsyncSequence & Sendable>(
    of sequence: Values, on loop: EventLoop
  ) -> Observable<Values.Element> where Self == Observable<Values.Element>, Values.Element: Sendable {
    .create { observer in
      let (asked, asks) = AsyncStream.makeStream(of: Void.self)
      let number = loop.handles.add(Reader(observer, asks), isInBackground: true)
      let mailbox = loop.mailbox
      let task = Task.detached {
        var failure: (any Error)?
        do {
          var asked = asked.makeAsyncIterator()
          for try await value in sequence {
            mailbox.send { loop in (loop.handles[number] as? Reader<Values.Element>)?.receive(value) }
            guard await asked.next() != nil else { return }
          }
        } catch {
          failure = error
        }
        mailbox.send { [failure] loop in
          (loop.handles.remove(number) as? Reader<Values.Element>)?.end(failure)
        }
      }
      return AnyDisposable { [weak loop] in
        task.cancel()
        (loop?.handles.remove(number) as? Reader<Values.Element>)?.leave()
      }
    }
  }
}

extension ObservableConvertible where Element: Sendable {
  /// What the stream tells from now on, as an asynchronous sequence for tasks and other threads.
  ///
  /// ```swift
  /// let counts = counter.values(on: loop)
  /// Task { for try await count in counts { await show(count) } }
  /// ```
  /// It is called on the loop's thread and subscribes at once. The sequence ends as the stream does, and with the loop.
  /// Letting it go leaves the stream, and so does cancelling the task that iterates over it.
  ///
  /// - Parameters:
  ///   - loop: the loop on whose thread the stream lives.
  ///   - policy: which values are kept for one who is slower than the stream. All of them are, unless it says otherwise.
  /// - Returns: the sequence, for one task to iterate over.
  public func values(
    on loop: EventLoop,
    bufferingPolicy policy: AsyncThrowingStream<Element, any Error>.Continuation.BufferingPolicy = .unbounded
  ) -> AsyncThrowingStream<Element, any Error> {
    let (values, continuation) = AsyncThrowingStream.makeStream(
      of: Element.self, throwing: (any Error).self, bufferingPolicy: policy)
    let writer = Writer(continuation)
    let number = loop.handles.add(writer, isInBackground: true)
    continuation.onTermination = { [mailbox = loop.mailbox] _ in
      mailbox.send { loop in loop.handles.remove(number) }
    }
    writer.subscription.disposable = subscribe { element in
      continuation.yield(element)
    } onError: { error in
      continuation.finish(throwing: error)
    } onCompleted: {
      continuation.finish()
    }
    return values
  }
}

/// One on the loop's thread who is told what a sequence gives, and asks for more.
private final class Reader<Element> {
  private let observer: Observer<Element>
  private let asks: AsyncStream<Void>.Continuation

  init(_ observer: Observer<Element>, _ asks: AsyncStream<Void>.Continuation) {
    self.observer = observer
    self.asks = asks
  }

  deinit { leave() }

  /// Nobody asks any more: the subscriber has left, perhaps while it was told a value, or the loop has gone.
  func leave() { asks.finish() }

  func receive(_ element: Element) {
    observer.onNext(element)
    asks.yield()
  }

  func end(_ failure: (any Error)?) {
    if let failure { observer.onError(failure) } else { observer.onCompleted() }
  }
}

/// One on the loop's thread who puts what a stream tells into a sequence.
private final class Writer<Element> {
  let subscription = SerialDisposable()
  private let values: AsyncThrowingStream<Element, any Error>.Continuation

  init(_ values: AsyncThrowingStream<Element, any Error>.Continuation) { self.values = values }

  // Nobody reads any more, or the loop has gone.
  deinit {
    subscription.dispose()
    values.finish()
  }
}
