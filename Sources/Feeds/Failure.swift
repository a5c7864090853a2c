internal import Nagare

/// The failure of a view that stands, and how many there have been.
struct Failures {
  private(set) var standing: Failure?
  private var count = 0

  /// A failure takes the place of the one that stands.
  mutating func add(_ failure: Failure) {
    count += 1
    standing = failure
    standing?.number = count
  }

  /// What failed is tried again, or over.
  mutating func end() { standing = nil }
}

extension Failure {
  /// What was wrong with some of a page's records, told as one failure that names the first; nil if nothing was.
  init?(_ failures: [LoadFailure], trigger: String) {
    guard var first = failures.first else { return nil }
    if failures.count > 1 { first.message += " (and \(failures.count - 1) more on this page)" }
    self.init(first, trigger: trigger)
  }
}

extension LoadFailure {
  /// Two items of one page had the same id.
  init(repeated id: String) {
    self.init(.badRecord, "the id \(id) is twice on one page; the later item is listed; give each an id of its own")
  }
}
