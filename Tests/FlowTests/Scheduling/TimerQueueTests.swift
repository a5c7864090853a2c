import Flow
import Randomness
import Testing

@Suite struct TimerQueueTests {
  private let clock = VirtualScheduler()

  @Test func `a timer can be set, set later, set earlier and unset`() {
    var times: [Duration] = []
    let timer = clock.timer { [clock] in times.append(clock.now) }
    #expect(!timer.isArmed && clock.timers.nextDue == nil)
    timer.arm(after: .seconds(1))
    timer.arm(after: .seconds(5))
    #expect(timer.isArmed && clock.timers.nextDue == .seconds(5))
    timer.arm(after: .seconds(2))
    #expect(clock.timers.nextDue == .seconds(2))
    clock.run()
    #expect(times == [.seconds(2)] && !timer.isArmed)
    timer.arm(at: .seconds(4))
    timer.disarm()
    #expect(clock.timers.nextDue == nil)
    timer.arm(at: .seconds(6))
    clock.run()
    #expect(times == [.seconds(2), .seconds(6)])
    timer.dispose()
    timer.arm(after: .seconds(1))
    #expect(!timer.isArmed && clock.timers.nextDue == nil)
  }

  @Test func `a queue is idle if only background timers are set`() {
    #expect(clock.timers.isIdle)
    let timer = clock.timer {}
    let look = clock.timer {}
    look.isInBackground = true
    look.arm(after: .seconds(9))
    #expect(clock.timers.isIdle)
    timer.arm(after: .seconds(1))
    #expect(!clock.timers.isIdle)
    timer.disarm()
    #expect(clock.timers.isIdle)
    timer.arm(after: .seconds(2))
    clock.advance(by: .seconds(2))
    #expect(clock.timers.isIdle)
  }

  @Test func `a timeout keeps a queue from being idle, and an interval doesn't`() {
    let ticks = Observable.interval(.seconds(1), on: clock).subscribe()
    clock.advance(by: .seconds(5))
    #expect(clock.timers.isIdle)
    let text = PublishSubject<Int>()
    let rest = text.asObservable().debounce(.seconds(1), on: clock).subscribe()
    text.onNext(1)
    #expect(!clock.timers.isIdle)
    clock.advance(by: .seconds(1))
    #expect(clock.timers.isIdle)
    for subscription in [ticks, rest] { subscription.dispose() }
  }

  @Test func `a timer that is set again runs after those set meanwhile for the same time`() {
    var log: [String] = []
    let first = clock.timer { log.append("first") }
    let second = clock.timer { log.append("second") }
    first.arm(after: .seconds(1))
    second.arm(after: .seconds(1))
    first.arm(after: .seconds(1))
    clock.run()
    #expect(log == ["second", "first"])
  }

  @Test func `each due timer runs once per call, so a timer that sets itself to now blocks nothing`() {
    var runs = 0
    var again: ScheduledTimer?
    let timer = clock.timer {
      runs += 1
      again?.arm(after: .zero)
    }
    again = timer
    timer.arm(after: .zero)
    clock.timers.runDue(at: .zero)
    #expect(runs == 1 && clock.timers.nextDue == .zero)
    #expect(clock.timers.runNext(at: .zero))
    #expect(runs == 2)
    timer.dispose()
    #expect(!clock.timers.runNext(at: .zero))
  }

  @Test func `timers that aren't due don't run`() {
    var runs = 0
    let timer = clock.timer { runs += 1 }
    timer.arm(after: .seconds(1))
    clock.timers.runDue(at: .milliseconds(999))
    #expect(runs == 0 && !clock.timers.runNext(at: .milliseconds(999)))
    clock.timers.runDue(at: .seconds(1))
    #expect(runs == 1 && clock.timers.nextDue == nil)
  }

  @Test func `a timer that disposes of itself while it runs doesn't run again`() {
    var runs = 0
    var itself: ScheduledTimer?
    let timer = clock.timer {
      runs += 1
      itself?.dispose()
      itself?.arm(after: .zero)
    }
    itself = timer
    timer.arm(after: .seconds(1))
    clock.run()
    #expect(runs == 1)
    itself = nil
  }

  /// Compares the queue with a list that is sorted each time.
  @Test(arguments: 0..<20 as Range<UInt64>)
  func `timers run in order, whatever is set, unset and disposed of`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let count = 30
    var (actual, expected): ([Int], [Int]) = ([], [])
    var model: [Int: (due: Duration, order: Int)] = [:]
    let timers = (0..<count).map { number in clock.timer { actual.append(number) } }
    for step in 0..<2000 {
      let number = Int.random(in: 0..<count, using: &random)
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<6:
        let delay = Duration.milliseconds(Int.random(in: 0..<50, using: &random))
        timers[number].arm(after: delay)
        model[number] = (clock.now + delay, step)
      case 6:
        timers[number].disarm()
        model[number] = nil
      default:
        let end = clock.now + .milliseconds(Int.random(in: 0..<20, using: &random))
        let due = model.filter { $0.value.due <= end }.sorted {
          ($0.value.due, $0.value.order) < ($1.value.due, $1.value.order)
        }
        expected += due.map(\.key)
        for (number, _) in due { model[number] = nil }
        clock.run(until: end)
      }
      #expect(clock.timers.nextDue == model.values.map(\.due).min())
    }
    #expect(actual == expected)
    for timer in timers { timer.dispose() }
    #expect(clock.timers.nextDue == nil)
  }
}
