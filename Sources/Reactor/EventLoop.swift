internal import CLibrary
public import Flow

/// One thread's loop over `poll(2)`: descriptors that are ready, timers that are due, and work posted from elsewhere.
///
/// Everything runs on the thread that called ``run()``, one piece after the other. A *turn* is one return of `poll`
/// and all that it caused; ``now`` stands still within a turn, so that one step has one time.
public final class EventLoop: Scheduler {
  /// What a watched descriptor can be ready for.
  package struct Readiness: OptionSet, Sendable {
    /// The bits.
    package let rawValue: UInt8
    /// Makes a set of bits.
    package init(rawValue: UInt8) { self.rawValue = rawValue }
    /// Something can be read, or the input has ended.
    package static let reading = Readiness(rawValue: 1)
    /// Something can be written.
    package static let writing = Readiness(rawValue: 2)
    /// The other end has gone. Always watched for, and told at each turn until the watch is cancelled.
    package static let hangUp = Readiness(rawValue: 4)
  }

  /// A descriptor that the loop looks at, until it is cancelled.
  package final class Watch {
    let descriptor: Descriptor
    private var handler: ((Readiness) -> Void)?
    private weak var loop: EventLoop?
    var isCancelled: Bool { handler == nil }
    fileprivate private(set) var wanted: Readiness
    /// What is waited for. A hang-up is told in any case.
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

    /// Ends the watch: its handler isn't called again, not even for what is ready already, and is let go of.
    package func cancel() {
      let last = handler
      handler = nil
      loop?.pollSetIsStale = true
      withExtendedLifetime(last) {}
    }
  }

  /// What is to run at its time.
  public let timers = TimerQueue()
  /// How other threads reach this one.
  public let mailbox: Mailbox
  /// Called at the end of each step: a timer, a posted piece of work, or what a descriptor's handler makes one by
  /// ``step(_:)``.
  package var stepEnded: () -> Void = {}
  #if DEBUG
    /// Reports steps that run for long.
    package var stepWatch: StepWatch? {
      didSet { timers.ruleChanged = { [stepWatch] rule in stepWatch?.carryOut(rule) } }
    }
  #endif

  /// Called when something else than a piece of work may have woken the loop.
  var woken: () -> Void = {}
  /// Those on this thread who wait for what other threads make.
  var handles = HandleTable()
  private var mainQueue: MainQueue?

  /// Posted work that has to wait for its turn.
  private var posted: ArraySlice<Mailbox.Work> = []
  fileprivate var watches: [Watch] = []
  fileprivate var pollSetIsStale = true
  private var isStopped = false
  private let longestTurn: Duration
  private let start: Duration
  private var turnTime: Duration?

  /// Makes a loop whose time starts now.
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

  /// The time since the loop was made, as it was when this turn first asked.
  public var now: Duration {
    if let turnTime { return turnTime }
    let time = EventLoop.monotonicTime() - start
    turnTime = time
    return time
  }

  /// Whether this turn has taken so long that whoever has more to do leaves it to the next one: signals, timers and other
  /// descriptors are to have their turn every 10 ms.
  package var isTurnOver: Bool {
    let time = EventLoop.monotonicTime() - start
    if let turnTime { return time - turnTime > longestTurn }
    turnTime = time
    return false
  }

  /// Runs a step of a descriptor's handler, of which one call may be many.
  package func step<Result>(_ body: () -> Result) -> Result {
    defer { stepEnded() }
    return body()
  }

  /// Whether nothing that was begun is still to come: no timer is set but in the background, and no other thread works
  /// for this one.
  package var isIdle: Bool { timers.isIdle && handles.isIdle && posted.isEmpty && mainQueue?.hasWork != true }

  /// Whether other threads have values for this one in the background, as those of a feed.
  package var hasFeeds: Bool { handles.hasBackground }

  /// Keeps the loop from being idle until what it returns is disposed of.
  package func work() -> AnyDisposable {
    final class Work {}
    let number = handles.add(Work())
    return AnyDisposable { [weak self] in _ = self?.handles.remove(number) }
  }

  /// Runs what is left for the main actor, such as a `Task` that was made there: this loop occupies its thread. It is
  /// called on the main thread, before the loop runs.
  package func serveMainActor() { mainQueue = MainQueue(on: self) }

  /// Calls `handler` whenever `descriptor` is ready for what is waited for, or hangs up, until the watch is cancelled.
  package func watch(_ descriptor: Descriptor, for interest: Readiness, _ handler: @escaping (Readiness) -> Void)
    -> Watch
  {
    let watch = Watch(descriptor, interest, self, handler)
    // The mailbox stays the last: it seldom has anything, and `poll` is quicker where the first ones are ready.
    watches.insert(watch, at: max(0, watches.count - 1))
    pollSetIsStale = true
    return watch
  }

  /// Runs asynchronous work on Swift's own threads. The observer, who belongs to this one, is known there by a number alone.
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

  /// Runs until ``stop()``.
  public func run() {
    isStopped = false
    // Here and not a property, which would be guarded against overlapping accesses at each turn.
    var pollSet = PollSet(watches)
    while !isStopped { turn(&pollSet) }
    // An outer run may have missed changes that this one saw.
    pollSetIsStale = true
  }

  /// Ends ``run()`` after what is being done now. What is ready or due besides waits for the next ``run()``.
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

  /// Timers set to now by those that run wait for the next turn, or they could keep the loop from its descriptors.
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
    // Those that were taken out would be kept by the others' memory.
    posted = []
  }

  /// Milliseconds until the next timer, rounded up so that it is due when `poll` returns; -1 when there is none.
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

  /// The watches as they were when the set was made, each at the index of its descriptor.
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
