extension ObservableConvertible {
  /// Emits a value, and then none for some time.
  ///
  /// The first value passes immediately. A value that comes `interval` or longer after the last one that passed also
  /// passes.
  ///
  /// ```
  /// source         -abc----d|
  /// latest: false  -a------d|  by 3 frames
  /// latest: true   -a--c---d|
  /// ```
  ///
  /// - Parameters:
  ///   - interval: the shortest time between two values.
  ///   - latest: whether the latest of the suppressed values is emitted when `interval` has passed. Completion waits
  ///     for it.
  ///   - scheduler: the scheduler that measures the time.
  /// - Returns: the stream of the values that pass.
  @inlinable
  public func throttle(_ interval: Duration, latest: Bool, on scheduler: any Scheduler) -> Observable<Element> {
    latest ? throttleLatest(interval, on: scheduler) : throttleFirst(interval, on: scheduler)
  }

  @inlinable
  func throttleFirst(_ interval: Duration, on scheduler: any Scheduler) -> Observable<Element> {
    eachValue { sink in
      let next = Box<Duration?>(nil)
      return { element in
        let now = scheduler.now
        if let next = next.value, now < next { return }
        next.value = now + interval
        sink.next(element)
      }
    }
  }

  @inlinable
  func throttleLatest(_ interval: Duration, on scheduler: any Scheduler) -> Observable<Element> {
    let source = asObservable()
    return Observable { sink, lifetime in
      let next = Box<Duration?>(nil)
      let held = Box<Element?>(nil)
      let sourceIsOpen = Box(true)
      let upstream = lifetime.makeChild()
      let timer = scheduler.timer {
        guard let element = held.value else { return }
        held.value = nil
        next.value = scheduler.now + interval
        sink.next(element)
        if !sourceIsOpen.value, lifetime.isActive { sink.end(nil) }
      }
      lifetime.add(timer)
      source.run(
        Sink { element in
          let now = scheduler.now
          if let next = next.value, now < next {
            if !timer.isArmed { timer.arm(at: next) }
            held.value = element
          } else {
            held.value = nil
            timer.disarm()
            next.value = now + interval
            sink.next(element)
          }
        } end: { failure in
          sourceIsOpen.value = false
          lifetime.drop(upstream)
          if failure != nil || held.value == nil {
            timer.dispose()
            sink.end(failure)
          }
        }, upstream)
    }
  }
}
