internal import Synchronization

/// A flag that cancels a request.
final class Ticket: Sendable {
  private let flag = Atomic(false)

  var isCancelled: Bool { flag.load(ordering: .acquiring) }
  func cancel() { flag.store(true, ordering: .releasing) }
}
