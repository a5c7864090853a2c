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
  /// The requests of jobs that aren't over. They are of any type: a map of generic values can't be compiled for theirs.
  private var requests = NumberMap<Any>()
  private var lastNumber = 0
  /// The number of the newest job that was dropped.
  private var dropped = 0

  /// No jobs.
  public init(_ order: Order, outlivesSubscribers: Bool = false) {
    self.order = order
    self.outlivesSubscribers = outlivesSubscribers
  }

  /// How many jobs aren't over.
  public private(set) var count = 0

  /// Whether any job isn't over.
  public var isRunning: Bool { count > 0 }

  /// Adds a job.
  public mutating func add(_ request: Request) {
    lastNumber += 1
    requests[UInt(lastNumber)] = request
    count += 1
    failure = nil
    revision += 1
  }

  /// Drops all jobs that aren't over.
  public mutating func cancelAll() {
    guard isRunning else { return }
    requests = NumberMap()
    (count, dropped) = (0, lastNumber)
    revision += 1
  }

  /// The jobs that are to run now.
  public var wanted: WantedNumbers {
    switch order {
    case .queued: requests.first.map { .one(Int($0.number)) } ?? .none
    case .parallel: .eachOnce(after: dropped, through: lastNumber)
    }
  }

  /// What a job is to do.
  public func request(_ number: Int) -> Request {
    guard let request = requests[UInt(number)] as? Request else {
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
    guard requests[UInt(number)] != nil else { return }
    requests[UInt(number)] = nil
    count -= 1
    revision += 1
  }
}
