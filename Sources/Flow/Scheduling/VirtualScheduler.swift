internal import Synchronization

/// A clock that stands still until a caller moves it: the time of tests and of replays.
///
/// ```swift
/// let clock = VirtualScheduler()
/// let late = clock.schedule(after: .seconds(2)) { print("two seconds") }
/// clock.advance(by: .seconds(1))
/// clock.advance(by: .seconds(1))  // prints
/// ```
/// Asynchronous work runs on the clock's own thread whenever time passes. It takes no virtual time except by ``sleep``.
/// If it awaits something outside, such as a server, its result waits until a caller moves the clock after that.
public final class VirtualScheduler: Scheduler {
  /// The time since the start. While a timer runs, it is the time at which that timer was due.
  public var now: Duration { time.value }
  /// The timers that are set.
  public let timers = TimerQueue()
  private let time = Box(Duration.zero)
  private var handles = HandleTable()
  /// The messages of asynchronous work to this thread; nil before there is any asynchronous work.
  private var inbox: VirtualInbox?

  /// A clock at zero.
  public init() {}

  /// Moves the clock by a duration. Timers due on the way run in order.
  public func advance(by duration: Duration) { run(until: now + duration) }

  /// Moves the clock to a time. Timers due by then run in order, with `step` after each one. A time in the past changes
  /// nothing.
  public func run(until time: Duration, afterEach step: () -> Void = {}) {
    while runNext(until: time) { step() }
    self.time.value = max(now, time)
  }

  /// Moves the clock until no timer is left. It doesn't return if a timer sets itself again each time.
  public func run() {
    while runNext(until: nil) {}
  }

  /// Runs what comes first: a message of asynchronous work, or a timer that is due by `end`. Returns whether there was
  /// one.
  private func runNext(until end: Duration?) -> Bool {
    if let work = inbox?.next() {
      work(self)
      return true
    }
    guard let due = timers.nextDue, due <= end ?? due else { return false }
    time.value = max(now, due)
    return timers.runNext(at: now)
  }

  // MARK: - Asynchronous work

  /// Runs asynchronous work on this thread, whenever time passes.
  public func run<Value: Sendable>(
    _ work: @escaping @Sendable () async throws -> Value, for observer: Observer<Value>
  ) -> any Disposable {
    let (number, inbox) = (handles.add(observer), openInbox())
    let task = Task(executorPreference: inbox) {
      let outcome = await Result(work)
      inbox.send { clock in (clock.handles.remove(number) as? Observer<Value>)?.end(with: outcome) }
    }
    return AnyDisposable { [weak self] in
      task.cancel()
      self?.handles.remove(number)
    }
  }

  /// Suspends asynchronous work until some of this clock's time has passed.
  public var sleep: @Sendable (Duration) async throws -> Void {
    let inbox = openInbox()
    return { duration in
      let (end, waiting) = AsyncStream.makeStream(of: Never.self)
      inbox.send { clock in _ = clock.schedule(after: duration) { waiting.finish() } }
      for await _ in end {}
      try Task.checkCancellation()
    }
  }

  private func openInbox() -> VirtualInbox {
    let inbox = inbox ?? VirtualInbox()
    self.inbox = inbox
    return inbox
  }
}

/// Collects, from any thread, the messages of asynchronous work to a virtual clock's thread.
private final class VirtualInbox: TaskExecutor {
  private let waiting = Mutex(Queue<@Sendable (VirtualScheduler) -> Void>())

  func send(_ work: @escaping @Sendable (VirtualScheduler) -> Void) { waiting.withLock { $0.append(work) } }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    send { [unowned self] _ in unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
  }

  func next() -> (@Sendable (VirtualScheduler) -> Void)? { waiting.withLock { $0.popFirst() } }
}
