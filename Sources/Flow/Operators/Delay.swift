extension ObservableConvertible {
  /// Emits each value, and completes, some time later. A failure is not delayed, and drops what waits.
  ///
  /// - Parameters:
  ///   - interval: how much later.
  ///   - scheduler: whose time it is.
  /// - Returns: the later stream.
  @inlinable
  public func delay(_ interval: Duration, on scheduler: any Scheduler) -> Observable<Element> {
    let source = asObservable()
    return Observable { sink, lifetime in
      let delay = Delay(sink, lifetime, scheduler)
      let upstream = lifetime.makeChild()
      lifetime.add(delay.timer)
      source.run(
        Sink { element in
          delay.append(element, after: interval)
        } end: { failure in
          lifetime.drop(upstream)
          if let failure {
            delay.timer.dispose()
            sink.end(failure)
          } else {
            delay.append(nil, after: interval)
          }
        }, upstream)
    }
  }
}

/// The events on their way, and the timer set to the first of them.
@usableFromInline
final class Delay<Element> {
  /// An event and its time; nil is completion.
  @usableFromInline typealias Entry = (deadline: TimerQueue.Deadline, element: Element?)

  @usableFromInline var line = Queue<Entry>()
  @usableFromInline let sink: Sink<Element>
  @usableFromInline let lifetime: Lifetime
  @usableFromInline let scheduler: any Scheduler
  @usableFromInline let timer: ScheduledTimer

  @inlinable
  init(_ sink: Sink<Element>, _ lifetime: Lifetime, _ scheduler: any Scheduler) {
    self.sink = sink
    self.lifetime = lifetime
    self.scheduler = scheduler
    let emit = Box<(() -> Void)?>(nil)
    timer = scheduler.timer { emit.value?() }
    // The timer keeps this alive when the source is done before its values are due; disposing of it lets go.
    emit.value = { self.emitFirst() }
  }

  @inlinable
  func append(_ element: Element?, after interval: Duration) {
    let deadline = timer.queue.deadline(at: scheduler.now + interval)
    line.append((deadline, element))
    if line.count == 1 {
      timer.queue.arm(timer, deadline)
    }
  }

  @inlinable
  func emitFirst() {
    guard let (_, element) = line.popFirst() else { return }
    if let (deadline, _) = line.first {
      timer.queue.arm(timer, deadline)
    }
    if let element {
      sink.next(element)
    } else {
      sink.end(nil)
    }
  }
}
