/// Several pieces of work of one kind, such as edits that are sent to a server.
///
/// ```swift
/// struct State { var edits = Jobs<Edit, Void>(.queued) }
/// // …
/// state.on(input.rename) { $0.edits.add(.rename($1)) }
/// state.react(to: \.edits) { edit in api.send(edit) }
/// ```
/// A job without a response, one of `Void`, is done as well when its stream completes without a value.
public struct Jobs<Request, Response>: Work {
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
  /// Why the last job to fail has failed; nil again when another is added.
  public private(set) var failure: Failure?
  /// How often what is wanted or the failure has changed.
  public private(set) var revision = 0
  /// The requests of the jobs that aren't over, by their numbers.
  private var requests: [Int: Request] = [:]
  private var lastNumber = 0
  /// The number of the newest job that was dropped.
  private var dropped = 0

  /// No jobs.
  public init(_ order: Order, outlivesSubscribers: Bool = false) {
    self.order = order
    self.outlivesSubscribers = outlivesSubscribers
  }

  /// How many jobs aren't over.
  public var count: Int { requests.count }

  /// Whether any job isn't over.
  public var isRunning: Bool { !requests.isEmpty }

  /// Adds a job.
  public mutating func add(_ request: Request) {
    lastNumber += 1
    requests[lastNumber] = request
    failure = nil
    revision += 1
  }

  /// Drops all jobs that aren't over.
  public mutating func cancelAll() {
    guard isRunning else { return }
    requests = [:]
    dropped = lastNumber
    revision += 1
  }

  /// The jobs that are to run now.
  public var wanted: WantedNumbers {
    switch order {
    // The first is always the one that ends first, so those that aren't over have the last numbers.
    case .queued: isRunning ? .one(lastNumber - count + 1) : .none
    case .parallel: .eachOnce(after: dropped, through: lastNumber)
    }
  }

  /// What a job is to do.
  public func request(_ number: Int) -> Request {
    guard let request = requests[number] else {
      preconditionFailure("job \(number) is asked for after its end")
    }
    return request
  }

  /// Takes note that a job is done.
  public mutating func take(_ response: Response, of number: Int) { remove(number) }

  /// Takes note that a job has failed or was given up.
  public mutating func end(_ number: Int, failure: Failure?) {
    remove(number)
    if let failure { self.failure = failure }
  }

  private mutating func remove(_ number: Int) {
    if requests.removeValue(forKey: number) != nil { revision += 1 }
  }
}
