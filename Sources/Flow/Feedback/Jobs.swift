/// Several pieces of work of one kind, such as edits that are sent to a server.
///
/// ```swift
/// struct State { var edits = Jobs<Edit, Void>(.queued) }
/// // …
/// state.on(input.rename) { $0.edits.add(.rename($1)) }
/// state.react(to: \.edits) { edit in api.send(edit) }
/// ```
/// A job whose response is `Void` also succeeds if its stream completes without a value.
///
/// With ``keepsFailed``, the requests of failed jobs are kept in ``failed`` until ``retryFailed()`` or
/// ``dropFailed()``.
public struct Jobs<Request, Response>: Effect {
  /// The order in which jobs run.
  public enum Order: Sendable {
    /// One after the other, in the order in which they were added.
    case queued
    /// All at the same time.
    case parallel
  }

  /// The order in which jobs run.
  public let order: Order
  /// Whether running jobs continue after the last subscriber of the state has left.
  public let outlivesSubscribers: Bool
  /// Whether the requests of failed jobs are kept in ``failed``.
  public let keepsFailed: Bool
  /// The requests of the jobs that have failed, in the order in which they failed; empty unless ``keepsFailed``.
  public private(set) var failed: [Request] = []
  /// The failure of the last job that failed; nil again when a job is added.
  @inlinable public var failure: Failure? { lastFailure }
  /// Changes whenever the wanted jobs or the failure change.
  @inlinable public var revision: Int { lastRevision }
  @usableFromInline var lastFailure: Failure?
  @usableFromInline var lastRevision = 0
  /// The requests of unfinished jobs, by job number.
  @usableFromInline var requests: [Int: Request] = [:]
  /// The numbers of unfinished jobs, ascending. Some finished jobs may still be among them.
  @usableFromInline var numbers: [Int] = []
  @usableFromInline var sum = RunSum()
  /// All jobs up to this number are finished.
  @usableFromInline var over = 0

  /// Makes an empty set of jobs.
  @inlinable
  public init(_ order: Order, outlivesSubscribers: Bool = false, keepsFailed: Bool = false) {
    self.order = order
    self.outlivesSubscribers = outlivesSubscribers
    self.keepsFailed = keepsFailed
  }

  /// The number of unfinished jobs.
  @inlinable
  public var count: Int { requests.count }

  /// Whether there are unfinished jobs.
  @inlinable
  public var isRunning: Bool { !requests.isEmpty }

  /// Adds a job.
  @inlinable
  public mutating func add(_ request: Request) {
    lastRevision = UniqueNumber.next()
    requests[revision] = request
    if numbers.count > 2 * requests.count + 16 { numbers.removeAll { requests[$0] == nil } }
    numbers.append(revision)
    sum.add(revision)
    lastFailure = nil
  }

  /// Adds the failed jobs again, in the order in which they failed.
  public mutating func retryFailed() {
    let requests = failed
    failed = []
    for request in requests { add(request) }
  }

  /// Removes the failed jobs, and clears the failure.
  public mutating func dropFailed() {
    failed = []
    guard lastFailure != nil else { return }
    lastFailure = nil
    lastRevision = UniqueNumber.next()
  }

  /// Drops all unfinished jobs.
  public mutating func cancelAll() {
    guard isRunning else { return }
    (requests, numbers, sum) = ([:], [], RunSum())
    lastRevision = UniqueNumber.next()
    over = lastRevision
  }

  /// The jobs that should run now.
  @inlinable
  public var wanted: WantedNumbers {
    switch order {
    case .queued: wantedNumber(after: over).map { .one($0) } ?? .none
    case .parallel: .each(after: over, sum: sum)
    }
  }

  /// The request of a job; nil if the job is finished.
  @inlinable
  public func request(_ number: Int) -> Request? { requests[number] }

  /// The next unfinished job after the one with this number; nil if there is none.
  @inlinable
  public func wantedNumber(after number: Int) -> Int? {
    guard let last = numbers.last, last > number else { return nil }
    var range = numbers.indices
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      range = numbers[middle] > number ? range.lowerBound..<middle : middle + 1..<range.upperBound
    }
    var index = range.lowerBound
    while index < numbers.count {
      if requests.index(forKey: numbers[index]) != nil { return numbers[index] }
      index += 1
    }
    return nil
  }

  /// Records the success of a job.
  @inlinable
  public mutating func receive(_ response: Response, of number: Int) { remove(number) }

  /// Records that a job has failed or was cancelled.
  public mutating func end(_ number: Int, failure: Failure?) {
    if keepsFailed, failure != nil, let request = requests[number] { failed.append(request) }
    remove(number)
    if let failure { lastFailure = failure }
  }

  @inlinable
  mutating func remove(_ number: Int) {
    guard requests.removeValue(forKey: number) != nil else { return }
    sum.remove(number)
    if order == .queued { over = number }
    lastRevision = UniqueNumber.next()
  }
}
