internal import ItemList

/// The newest snapshot of a list with a window, and the lists of some older versions. A client may send positions of an
/// older version if it hasn't received the newest one yet.
struct PublishedSnapshots {
  /// The most older versions to keep.
  private static let mostOlder = 16

  private(set) var newest = ListSnapshot(0..<0, of: SparseList(), isExact: false)
  /// The older versions, the oldest first.
  private var older: [(revision: Int, list: SparseList)] = []

  /// Publishes rows of a list, unless they are equal to the newest snapshot.
  mutating func publish(_ rows: Range<Int>, of list: SparseList, isExact: Bool) {
    let new = ListSnapshot(rows, of: list, isExact: isExact, revision: newest.revision + 1)
    if new.isSameVersion(as: newest) { return }
    older = older.suffix(PublishedSnapshots.mostOlder - 1) + [(newest.revision, newest.list)]
    newest = new
  }

  /// The list of an older version; if that isn't kept any more, of the oldest kept version. Nil for the newest version.
  func list(at revision: Int) -> SparseList? {
    revision < newest.revision ? older.first { $0.revision >= revision }?.list : nil
  }
}
