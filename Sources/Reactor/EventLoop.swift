internal import CLibrary
public import Flow

/// A single-threaded event loop over `poll(2)`: ready descriptors, due timers, and work posted by other threads.
///
/// Everything runs on the thread that called ``run()``, one piece after the other. A *turn* is one return of `poll` and
/// everything that it causes. ``now`` is constant within a turn, so a step has a single time.
public final class EventLoop: Scheduler {
  /// The conditions that a watched descriptor can be ready for.
  package struct Readiness: OptionSet, Sendable {
    /// The set as bits.
    package let rawValue: UInt8
    /// Makes a set of its bits.
    package init(rawValue: UInt8) { self.rawValue = rawValue }
    /// The descriptor can be read, or its input has ended.
    package static let reading = Readiness(rawValue: 1)
    /// The descriptor can be written.
    package static let writing = Readiness(rawValue: 2)
    /// The other end was closed. It is always watched for, and reported at each turn until the watch is cancelled.
    package static let hangUp = Readiness(rawValue: 4)
  }

  /// A descriptor that the loop polls until the watch is cancelled.
  package final class Watch {
    let descriptor: Descriptor
    private var handler: ((Readiness) -> Void)?
    private weak var loop: EventLoop?
    var isCancelled: Bool { handler == nil }
    fileprivate private(set) var wanted: Readiness
    /// The conditions to wait for. A hang-up is reported in any case.
    package var interest: Readiness {
      get { wanted }
      set {
        if newValue != wanted { loop?.pollSetIsStale = true }
        wanted = newValue
      }
    }

    init(_ descriptor: Descriptor, _ interest: Readiness, _ loop: EventLoop, _ handler: @escaping (Readiness) -> Void) {
      self.descriptor = descriptor
      wanted = interest
      self.loop = loop
      self.handler = handler
    }

    fileprivate func tell(_ found: Readiness) {
      let readiness = found.intersection(wanted.union(.hangUp))
      if !readiness.isEmpty { handler?(readiness) }
    }

    /// Ends the watch. Its handler isn't called again, not even for a condition that already holds, and is released.
    package func cancel() {
      let last = handler
      handler = nil
      loop?.pollSetIsStale = true
      withExtendedLifetime(last) {}
    }
  }

  /// The timers that are set.
  public let timers = TimerQueue()
  /// Receives work from other threads.
  public let mailbox: Mailbox
  /// Called at the end of each step: a timer, a posted piece of work, or a part of a descriptor's handler that calls
  /// ``step(_:)``.
  package var stepEnded: () -> Void = {}
  #if DEBUG
    /// Reports steps that run long.
    package var stepWatch: StepWatch? {
      didSet { timers.ruleChanged = { [stepWatch] rule in stepWatch?.carryOut(rule) } }
    }
  #endif

  /// Called when something other than posted work may have woken the loop.
  var woken: () -> Void = {}
  /// Objects on this thread that wait for results of other threads.
  var handles = HandleTable()
  private var mainQueue: MainQueue?

  /// Posted work that waits for its turn.
  private var posted: ArraySlice<Mailbox.Work> = []
  fileprivate var watches: [Watch] = []
  fileprivate var pollSetIsStale = true
  private var isStopped = false
  private let longestTurn: Duration
  private let start: Duration
  private var turnTime: Duration?

  /// Makes a loop. Its time starts now.
  public convenience init() throws(SystemError) { try self.init(longestTurn: .milliseconds(10)) }

  init(longestTurn: Duration) throws(SystemError) {
    self.longestTurn = longestTurn
    StandardStreams.openClosed()
    mailbox = try Mailbox()
    start = EventLoop.monotonicTime()
    let mailbox = mailbox
    _ = watch(mailbox.descriptor, for: .reading) { [unowned self] _ in
      posted += mailbox.collect()
      runPosted()
      woken()
    }
  }

  /// The time since the loop was made. It is measured at the first use in each turn.
  public var now: Duration {
    if let turnTime { return turnTime }
    let time = EventLoop.monotonicTime() - start
    turnTime = time
    return time
  }

  /// Whether this turn has lasted so long that remaining work should wait for the next one. Signals, timers and other
  /// descriptors should get their turn every 10 ms.
  package var isTurnOver: Bool {
    let time = EventLoop.monotonicTime() - start
    if let turnTime { return time - turnTime > longestTurn }
    turnTime = time
    return false
  }

  /// Runs a step of a descriptor's handler. A single call of the handler may contain many steps.
  package func step<Result>(_ body: () -> Result) -> Result {
    defer { stepEnded() }
    return body()
  }

  /// Whether all started work has ended: only background timers are set, and no other thread works for this one.
  package var isIdle: Bool { timers.isIdle && handles.isIdle && posted.isEmpty && mainQueue?.hasWork != true }

  /// Whether other threads may send values to this one in the background, such as those of a feed.
  package var hasFeeds: Bool { handles.hasBackground }

  /// Keeps the loop from being idle until the result is disposed of.
  package func work() -> AnyDisposable {
    final class Work {}
    let number = handles.add(Work())
    return AnyDisposable { [weak self] in _ = self?.handles.remove(number) }
  }

  /// Makes the loop run the work of the main actor, such as a `Task` that was made there, because the loop occupies the
  /// main thread. Call it on the main thread, before the loop runs.
  package func serveMainActor() { mainQueue = MainQueue(on: self) }

  /// Calls `handler` whenever the descriptor is ready for `interest` or hangs up, until the watch is cancelled.
  package func watch(_ descriptor: Descriptor, for interest: Readiness, _ handler: @escaping (Readiness) -> Void)
    -> Watch
  {
    let watch = Watch(descriptor, interest, self, handler)
    // The mailbox stays last: it seldom has work, and `poll` is faster if the first descriptors are ready.
    watches.insert(watch, at: max(0, watches.count - 1))
    pollSetIsStale = true
    return watch
  }

  /// Runs asynchronous work on Swift's own threads. The observer stays on this thread; other threads know only its
  /// number.
  public func run<Value: Sendable>(
    _ work: @escaping @Sendable () async throws -> Value, for observer: Observer<Value>
  ) -> any Disposable {
    run(work, for: observer, isInBackground: false)
  }

  /// Runs asynchronous work on Swift's own threads. A program whose input has ended doesn't wait for it.
  public func runInBackground<Value: Sendable>(
    _ work: @escaping @Sendable () async throws -> Value, for observer: Observer<Value>
  ) -> any Disposable {
    run(work, for: observer, isInBackground: true)
  }

  private func run<Value: Sendable>(
    _ work: @escaping @Sendable () async throws -> Value, for observer: Observer<Value>, isInBackground: Bool
  ) -> any Disposable {
    let (number, mailbox) = (handles.add(observer, isInBackground: isInBackground), mailbox)
    let task = Task.detached {
      let outcome = await Result(work)
      mailbox.send { loop in (loop.handles.remove(number) as? Observer<Value>)?.end(with: outcome) }
    }
    return AnyDisposable { [weak self] in
      task.cancel()
      self?.handles.remove(number)
    }
  }

  /// Runs the loop until ``stop()``.
  public func run() {
    isStopped = false
    // A local variable, because a property would be checked for overlapping accesses at each turn.
    var pollSet = PollSet(watches)
    while !isStopped { turn(&pollSet) }
    // An outer run may have missed changes that this one has seen.
    pollSetIsStale = true
  }

  /// Ends ``run()`` after the current piece of work. Other ready descriptors and due timers wait for the next
  /// ``run()``.
  public func stop() { isStopped = true }

  private func turn(_ pollSet: inout PollSet) {
    if pollSetIsStale {
      pollSetIsStale = false
      watches.removeAll { $0.isCancelled }
      pollSet = PollSet(watches)
    }
    turnTime = nil
    let ready = unsafe systemPoll(&pollSet.descriptors, nfds_t(pollSet.descriptors.count), timeout())
    turnTime = nil
    if ready > 0 { callHandlers(pollSet) }
    if !isStopped, !timers.isEmpty { runTimers() }
  }

  /// Records the beginning of a step for the reports of debug builds.
  @inline(__always)
  private func beginStep(_ name: StaticString) {
    #if DEBUG
      stepWatch?.begin("\(name)")
    #endif
  }

  /// Records the end of a step for the reports of debug builds.
  @inline(__always)
  private func endNamedStep() {
    #if DEBUG
      stepWatch?.end()
    #endif
  }

  /// Runs the due timers. Timers that they set to now wait for the next turn; otherwise they could block the
  /// descriptors.
  private func runTimers() {
    beginStep("a timer's step")
    timers.runDue(at: now) {
      stepEnded()
      endNamedStep()
      beginStep("a timer's step")
      return !isStopped && !isTurnOver
    }
    endNamedStep()
  }

  private func runPosted() {
    while let work = posted.popFirst() {
      beginStep("a step by work of another thread, such as asynchronous code that has returned,")
      work(self)
      stepEnded()
      endNamedStep()
      if !posted.isEmpty, isTurnOver { return mailbox.wake() }
    }
    // A new array, because the slice would keep the memory of completed work.
    posted = []
  }

  /// The milliseconds until the next timer, rounded up so that the timer is due when `poll` returns; -1 if no timer is
  /// set.
  private func timeout() -> Int32 {
    guard !timers.isEmpty, let due = timers.nextDue else { return -1 }
    let (seconds, attoseconds) = max(due - now, .zero).components
    guard seconds < 1_000_000 else { return 1_000_000_000 }
    return Int32(seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
  }

  private func callHandlers(_ pollSet: PollSet) {
    for index in pollSet.watches.indices where pollSet.descriptors[index].revents != 0 && !isStopped {
      let events = Int32(pollSet.descriptors[index].revents)
      var readiness = Readiness()
      if events & (POLLIN | POLLHUP) != 0 { readiness.insert(.reading) }
      if events & POLLOUT != 0 { readiness.insert(.writing) }
      if events & (POLLHUP | POLLERR | POLLNVAL) != 0 { readiness.insert(.hangUp) }
      pollSet.watches[index].tell(readiness)
    }
  }

  /// The watches at the time when the set was made, each at the index of its descriptor.
  private struct PollSet {
    var descriptors: [pollfd] = []
    private(set) var watches: [Watch] = []

    init(_ watches: [Watch] = []) {
      self.watches = watches
      descriptors = watches.map { watch in
        var events: Int32 = 0
        if watch.wanted.contains(.reading) { events |= POLLIN }
        if watch.wanted.contains(.writing) { events |= POLLOUT }
        return pollfd(fd: watch.descriptor.rawValue, events: Int16(events), revents: 0)
      }
    }
  }

  static func monotonicTime() -> Duration {
    var time = timespec()
    _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
  }
}
