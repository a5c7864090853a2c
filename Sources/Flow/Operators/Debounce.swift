extension ObservableConvertible {
  /// Emits a value when no other value has followed it for some time.
  ///
  /// ```
  /// source   -ab----c---|
  /// result   -----b----c|  after 3 frames of quiet
  /// ```
  ///
  /// When the source completes, a pending value is emitted. When the source fails, it is dropped.
  @inlinable
  public func debounce(_ interval: Duration, on scheduler: any Scheduler) -> Observable<Element> {
    let source = asObservable()
    return Observable { sink, lifetime in
      let waiting = Box<Element?>(nil)
      let flush = {
        if let element = waiting.value {
          waiting.value = nil
          sink.next(element)
        }
      }
      let timer = scheduler.timer(flush)
      lifetime.add(timer)
      source.run(
        Sink { element in
          waiting.value = element
          timer.arm(after: interval)
        } end: { failure in
          timer.dispose()
          sink.end(failure, lifetime, afterLast: flush)
        }, lifetime)
    }
  }
}
