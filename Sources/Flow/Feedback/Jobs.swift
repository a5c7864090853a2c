/// Several pieces of work of one kind, such as edits that are sent to a server.
///
/// ```swift
/// struct State { var edits = Jobs<Edit, Void>(.queued) }
/// // …
/// state.on(input.rename) { $0.edits.add(.rename($1)) }
/// state.react(to: \.edits) { edit in api.send(edit) }
/// ```
/// A job without a response, one of `Void`, is done as well when its stream completes without a value.
///
/// With ``keepsFailed``, the requests of failed jobs are kept in ``failed`` until ``retryFailed()`` or ``dropFailed()``.
public struct Jobs<Request, Response>: Effect {
  /// How jobs that are there at the same time are run.
  public enum Order: Sendable {
    /// One after the other, in the order in which they were added.
    case queued
    /// All at once.
    case parallel
  }

  /// How jobs that are there at the same time are run.
  public let order: Order
  /// Whether jobs that have begun go on when nobody listens to the state any more.
  public let outlivesSubscribers: Bool
  /// Whether the requests of jobs that have failed are kept.
  public let keepsFailed: Bool
  /// The requests of the jobs that have failed, in the order in which they failed; empty unless ``keepsFailed``.
  public private(set) var failed: [Request] = []
  /// Why the last job to fail has failed; nil again when another is added.
  @inlinable public var failure: Failure? { lastFailure }
  /// Another one after each change of what is wanted or of the failure.
  @inlinable public var revision: Int { lastRevision }
  @usableFromInline var lastFailure: Failure?
  @usableFromInline var lastRevision = 0
  /// The requests of the jobs that aren't over, by their numbers.
  @usableFromInline var requests: [Int: Request] = [:]
  /// The numbers of these jobs, ascending, and of some that are over.
  @usableFromInline var numbers: [Int] = []
  @usableFromInline var sum = RunSum()
  /// Jobs up to this number are over.
  @usableFromInline var over = 0

  /// No jobs.
  @inlinable
  public init(_ order: Order, outlivesSubscribers: Bool = false, keepsFailed: Bool = false) {
    self.order = order
    self.outlivesSubscribers = outlivesSubscribers
    self.keepsFailed = keepsFailed
  }

  /// How many jobs aren't over.
  @inlinable
  public var count: Int { requests.count }

  /// Whether any job isn't over.
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

  /// Drops all jobs that aren't over.
  public mutating func cancelAll() {
    guard isRunning else { return }
    (requests, numbers, sum) = ([:], [], RunSum())
    lastRevision = UniqueNumber.next()
    over = lastRevision
  }

  /// The jobs that are to run now.
  @inlinable
  public var wanted: WantedNumbers {
    switch order {
    case .queued: wantedNumber(after: over).map { .one($0) } ?? .none
    case .parallel: .each(after: over, sum: sum)
    }
  }

  /// What a job is to do.
  @inlinable
  public func request(_ number: Int) -> Request? { requests[number] }

  /// The job that was added next after another one, of those that aren't over.
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

  /// Takes note that a job is done.
  @inlinable
  public mutating func receive(_ response: Response, of number: Int) { remove(number) }

  /// Takes note that a job has failed or was given up.
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
