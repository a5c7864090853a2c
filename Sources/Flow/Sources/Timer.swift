extension ObservableConvertible where Self == Observable<Int> {
  /// A stream of a single 0, emitted after a delay from the subscription.
  @inlinable
  public static func timer(_ delay: Duration, on scheduler: any Scheduler) -> Observable<Int> {
    Observable { sink, lifetime in
      lifetime.add(
        scheduler.schedule(after: delay) {
          sink.next(0)
          if lifetime.isActive { sink.end(nil) }
        })
    }
  }

  /// A stream of 0, 1, 2, …, with one value in each `period` from the subscription. The first value comes after one
  /// period. Delays of single values don't add up. The stream has no end, so a program whose input has ended doesn't
  /// wait for it.
  @inlinable
  public static func interval(_ period: Duration, on scheduler: any Scheduler) -> Observable<Int> {
    Observable { sink, lifetime in
      let start = scheduler.now
      let count = Box(0)
      let timer = Box<ScheduledTimer?>(nil)
      let ticker = scheduler.timer {
        let number = count.value
        count.value = number + 1
        timer.value?.arm(at: start + period * (number + 2))
        sink.next(number)
      }
      ticker.isInBackground = true
      timer.value = ticker
      ticker.arm(at: start + period)
      lifetime.add(ticker)
    }
  }
}
