extension ObservableConvertible where Self == Observable<Int> {
  /// A stream of one 0, some time after somebody subscribed.
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

  /// A stream of 0, 1, 2, …, one each `period` after somebody subscribed, the first after one period. Delays do not add
  /// up. It has no end, so a program that ends once all that it began is over doesn't wait for it.
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
