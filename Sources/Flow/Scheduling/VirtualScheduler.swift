internal import Synchronization

/// A clock that stands still until it is told to go on: the time of tests and of replays.
///
/// ```swift
/// let clock = VirtualScheduler()
/// let late = clock.schedule(after: .seconds(2)) { print("two seconds") }
/// clock.advance(by: .seconds(1))
/// clock.advance(by: .seconds(1))  // prints
/// ```
/// Asynchronous work runs on the clock's own thread, whenever time is let pass, and takes no time but by ``sleep``. Where it
/// awaits something else, such as a server, what comes of it waits until time is let pass after that.
public final class VirtualScheduler: Scheduler {
  /// The time since the start. While a timer runs it is the time at which that timer was due.
  public var now: Duration { time.value }
  /// What is to run later.
  public let timers = TimerQueue()
  private let time = Box(Duration.zero)
  private var handles = HandleTable()
  /// What asynchronous work has for this thread; nil before there is any.
  private var inbox: VirtualInbox?

  /// A clock at zero.
  public init() {}

  /// Lets time pass, running what is due on the way, in order.
  public func advance(by duration: Duration) { run(until: now + duration) }

  /// Lets time pass until a time, running what is due on the way and at that time, in order, and `step` after each. A
  /// time that has passed changes nothing.
  public func run(until time: Duration, afterEach step: () -> Void = {}) {
    while runNext(until: time) { step() }
    self.time.value = max(now, time)
  }

  /// Lets time pass until nothing is left to run. With a timer that sets itself again this does not return.
  public func run() {
    while runNext(until: nil) {}
  }

  /// Runs what comes first: what asynchronous work has by now, or a timer that is due by then; says whether there was any.
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

  /// Runs asynchronous work on this thread, whenever time is let pass.
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

  /// Lets asynchronous work wait until some of this clock's time has passed.
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

/// What asynchronous work has for a virtual clock's thread, from whichever thread it comes.
private final class VirtualInbox: TaskExecutor {
  private let waiting = Mutex(Queue<@Sendable (VirtualScheduler) -> Void>())

  func send(_ work: @escaping @Sendable (VirtualScheduler) -> Void) { waiting.withLock { $0.append(work) } }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    send { [unowned self] _ in unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
  }

  func next() -> (@Sendable (VirtualScheduler) -> Void)? { waiting.withLock { $0.popFirst() } }
}
