internal import Synchronization

/// Where time comes from: the event loop's clock in a program, a virtual one in a test.
///
/// Nothing else in this package reads a clock, so the same inputs at the same times give the same outputs.
public protocol Scheduler: AnyObject {
  /// The time since the scheduler's start.
  var now: Duration { get }

  /// What is to run later. The scheduler runs it when its time has come.
  var timers: TimerQueue { get }

  /// Runs asynchronous work beside the scheduler, in a task of its own, and has an observer told what comes of it: a value
  /// and completion, or a failure. ``ObservableConvertible/async(on:_:)`` makes a stream of it.
  ///
  /// The observer is told on the scheduler's thread, as something that the scheduler runs. What comes back cancels the
  /// task; nobody is told any more then.
  func run<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value, for observer: Observer<Value>)
    -> any Disposable
}

extension Scheduler {
  /// Runs an action once, later. A delay of zero or less runs it as soon as the scheduler gets to run anything.
  @inlinable
  public func schedule(after delay: Duration, _ action: @escaping () -> Void) -> any Disposable {
    let timer = timer(action)
    timer.arm(after: delay)
    return timer
  }

  /// Makes a timer that isn't set, and can be set again and again without an allocation.
  @inlinable
  public func timer(_ action: @escaping () -> Void) -> ScheduledTimer {
    ScheduledTimer(on: self, action)
  }
}

/// An action and the time to run it at, which can be set, set again and unset. Made by ``Scheduler/timer(_:)``.
///
/// Setting it later than it was set costs two stores, so an event that puts it off is cheap.
public final class ScheduledTimer: Disposable {
  private let scheduler: any Scheduler
  @usableFromInline let queue: TimerQueue
  var action: (() -> Void)?
  /// The time it is set to; nil when it is not set.
  let deadline = Box<TimerQueue.Deadline?>(nil)
  /// Where it is in the queue; negative when it is not there.
  var slot = -1

  @usableFromInline
  init(on scheduler: any Scheduler, _ action: @escaping () -> Void) {
    self.scheduler = scheduler
    self.action = action
    queue = scheduler.timers
  }

  /// Whether what it does is no reason to wait for it, as a tick isn't that comes again and again: see
  /// ``TimerQueue/isIdle``.
  public var isInBackground = false

  /// Whether it will run.
  public var isArmed: Bool { deadline.value != nil }

  /// Sets it to so long from now, in place of the time it may be set to.
  public func arm(after delay: Duration) { arm(at: scheduler.now + delay) }

  /// Sets it to a time as the scheduler counts it, in place of the one it may be set to. One that has passed means as
  /// soon as possible.
  public func arm(at time: Duration) { arm(queue.deadline(at: time)) }

  /// Sets it to a place in time that was taken before.
  @usableFromInline
  func arm(_ deadline: TimerQueue.Deadline) { queue.arm(self, deadline) }

  /// Unsets it.
  public func disarm() { deadline.value = nil }

  /// Unsets it for good, and lets the action go.
  public func dispose() {
    deadline.value = nil
    queue.remove(self)
    let last = action
    action = nil
    withExtendedLifetime(last) {}
  }
}

/// The timers of a scheduler, ordered by due time, and those due at the same time by when they were set.
///
/// A scheduler sleeps until ``nextDue`` and then calls ``runDue(at:_:)``.
///
/// It is a binary heap. A timer that is unset, or set later, stays where it is until it comes to the top, and is dropped
/// or sunk then: that makes the two cheap, and both are what `debounce` and `timeout` do at each event.
public final class TimerQueue {
  /// A due time, and a number that tells apart those due at the same time.
  @usableFromInline
  struct Deadline: Comparable {
    /// In attoseconds, because the comparison of durations is a call and that of numbers is not.
    @usableFromInline let time: Int128
    @usableFromInline let number: Int

    @usableFromInline
    init(time: Int128, number: Int) {
      self.time = time
      self.number = number
    }

    @usableFromInline
    static func < (left: Deadline, right: Deadline) -> Bool {
      left.time < right.time || left.time == right.time && left.number < right.number
    }
  }

  /// Not checked for overlapping accesses, of which there are none: the heap's functions call nobody else's code. It lets
  /// go of a timer only while the caller holds it.
  @exclusivity(unchecked)
  private var heap = TimerHeap()
  private let lastNumber = Box(0)

  /// An empty queue.
  public init() {}

  /// Whether no timer is set; for sure only if it says so. It costs less to ask than ``nextDue``.
  public var isEmpty: Bool { unsafe heap.isEmpty }

  /// Whether no timer is set but such as are in the background: whatever began and needs time is over.
  public var isIdle: Bool { unsafe heap.allSatisfy { $0.isInBackground || !$0.isArmed } }

  /// When the first timer is due; nil if none is set.
  public var nextDue: Duration? {
    first.map { Duration(attoseconds: $0.deadline.time) }
  }

  /// Runs the first timer, if it is due now; says whether it was.
  public func runNext(at time: Duration) -> Bool {
    guard let first, first.deadline.time <= time.attoseconds else { return false }
    run(first.timer)
    return true
  }

  /// Runs the timers that are due. Those set meanwhile wait for the next call, so that a timer which sets itself to now
  /// cannot keep its scheduler from everything else. `goesOn` is asked after each timer; false leaves the rest for the
  /// next call.
  public func runDue(at time: Duration, _ goesOn: () -> Bool = { true }) {
    let last = Deadline(time: time.attoseconds, number: lastNumber.value)
    while let first, first.deadline.time <= last.time, first.deadline.number <= last.number {
      run(first.timer)
      guard goesOn() else { return }
    }
  }

  /// The timer that is first by what it is set to now.
  private var first: TimerHeap.Node? {
    while let first = unsafe heap.first {
      guard let deadline = first.timer.deadline.value else {
        remove(first.timer)
        continue
      }
      if deadline.number == first.deadline.number { return first }
      unsafe heap.putOffFirst(to: deadline)
    }
    return nil
  }

  private func run(_ timer: ScheduledTimer) {
    timer.deadline.value = nil
    timer.action?()
  }

  /// The place in time of something decided now.
  @usableFromInline
  func deadline(at time: Duration) -> Deadline {
    lastNumber.value += 1
    return Deadline(time: time.attoseconds, number: lastNumber.value)
  }

  func arm(_ timer: ScheduledTimer, _ deadline: Deadline) {
    guard timer.action != nil else { return }
    timer.deadline.value = deadline
    if timer.slot < 0 {
      unsafe heap.insert(timer, deadline)
    } else {
      unsafe heap.hasten(timer.slot, to: deadline)
    }
  }

  func remove(_ timer: ScheduledTimer) {
    let slot = timer.slot
    guard slot >= 0 else { return }
    timer.slot = -1
    unsafe heap.remove(slot)
  }
}

/// A binary heap of timers by deadline. Each timer knows its slot, so that it can be moved and removed.
struct TimerHeap {
  struct Node {
    /// The deadline it is sorted by, which may be earlier than the one the timer is set to now.
    var deadline: TimerQueue.Deadline
    let timer: ScheduledTimer
  }

  private var nodes: [Node] = []

  var first: Node? { nodes.first }
  var isEmpty: Bool { nodes.isEmpty }

  func allSatisfy(_ condition: (ScheduledTimer) -> Bool) -> Bool { nodes.allSatisfy { condition($0.timer) } }

  mutating func insert(_ timer: ScheduledTimer, _ deadline: TimerQueue.Deadline) {
    nodes.append(Node(deadline: deadline, timer: timer))
    rise(from: nodes.count - 1)
  }

  /// Sorts a timer again if its deadline is earlier than the one it is sorted by.
  mutating func hasten(_ slot: Int, to deadline: TimerQueue.Deadline) {
    if deadline < nodes[slot].deadline {
      nodes[slot].deadline = deadline
      rise(from: slot)
    }
  }

  /// Sorts the first timer by a later deadline.
  mutating func putOffFirst(to deadline: TimerQueue.Deadline) {
    nodes[0].deadline = deadline
    sink(from: 0)
  }

  mutating func remove(_ slot: Int) {
    let last = nodes.removeLast()
    guard slot < nodes.count else { return }
    nodes[slot] = last
    rise(from: slot)
    sink(from: last.timer.slot)
  }

  private mutating func rise(from start: Int) {
    var slot = start
    while slot > 0 {
      let parent = (slot - 1) / 2
      guard nodes[slot].deadline < nodes[parent].deadline else { break }
      nodes.swapAt(slot, parent)
      nodes[slot].timer.slot = slot
      slot = parent
    }
    nodes[slot].timer.slot = slot
  }

  private mutating func sink(from start: Int) {
    var slot = start
    while true {
      var least = slot
      for child in 2 * slot + 1...2 * slot + 2
      where child < nodes.count && nodes[child].deadline < nodes[least].deadline {
        least = child
      }
      guard least != slot else { break }
      nodes.swapAt(slot, least)
      nodes[slot].timer.slot = slot
      slot = least
    }
    nodes[slot].timer.slot = slot
  }
}

// MARK: - Streams of time

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
  private var awaited = Awaited()
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
    let (number, inbox) = (awaited.add(observer), openInbox())
    let task = Task(executorPreference: inbox) {
      let outcome = await Result(work)
      inbox.send { clock in (clock.awaited.remove(number) as? Observer<Value>)?.end(with: outcome) }
    }
    return AnyDisposable { [weak self] in
      task.cancel()
      self?.awaited.remove(number)
    }
  }

  /// Lets asynchronous work wait until some of this clock's time has passed.
  ///
  /// ```swift
  /// let sleep = clock.sleep
  /// let server = Server { id in
  ///   try await sleep(.milliseconds(300))
  ///   return Order(id: id)
  /// }
  /// ```
  /// It throws a `CancellationError` if its task is cancelled.
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
