extension ObservableConvertible {
  /// Delays each value and the completion. A failure is not delayed, and drops the values that are pending.
  ///
  /// ```
  /// source   -a-b|
  /// result   ---a-b|  by 2 frames
  /// ```
  @inlinable
  public func delay(_ interval: Duration, on scheduler: any Scheduler) -> Observable<Element> {
    let source = asObservable()
    return Observable { sink, lifetime in
      let delay = Delay(sink)
      let timer = scheduler.timer { delay.emitFirst() }
      delay.timer = timer
      lifetime.add(timer)
      let upstream = lifetime.makeChild()
      source.run(
        Sink { element in
          delay.append(element, timer.queue.deadline(at: scheduler.now + interval))
        } end: { failure in
          lifetime.drop(upstream)
          if let failure {
            timer.dispose()
            sink.end(failure)
          } else {
            delay.append(nil, timer.queue.deadline(at: scheduler.now + interval))
          }
        }, upstream)
    }
  }
}

/// The pending events of a `delay`, and the timer for the first of them.
@usableFromInline
final class Delay<Element> {
  /// An event and its time. A nil element is the completion.
  @usableFromInline typealias Entry = (element: Element?, deadline: TimerQueue.Deadline)

  @usableFromInline var line = Queue<Entry>()
  @usableFromInline let sink: Sink<Element>
  @usableFromInline var timer: ScheduledTimer?

  @inlinable
  init(_ sink: Sink<Element>) { self.sink = sink }

  @inlinable
  func append(_ element: Element?, _ deadline: TimerQueue.Deadline) {
    line.append((element, deadline))
    if line.count == 1 { timer?.arm(deadline) }
  }

  @inlinable
  func emitFirst() {
    guard let (element, _) = line.popFirst() else { return }
    if let (_, deadline) = line.first { timer?.arm(deadline) }
    if let element {
      sink.next(element)
    } else {
      sink.end(nil)
    }
  }
}
