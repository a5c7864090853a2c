internal import ItemList

/// The newest snapshot of a windowed list, and the lists of some versions before it: a client may name positions of a version
/// before it knows the newest.
struct PublishedSnapshots {
  /// How many older versions are kept.
  private static let mostOlder = 16

  private(set) var newest = ListSnapshot(0..<0, of: SparseList(), isExact: false)
  /// In their order, the oldest first.
  private var older: [(revision: Int, list: SparseList)] = []

  /// Publishes rows of a list, unless the newest snapshot has the same.
  mutating func publish(_ rows: Range<Int>, of list: SparseList, isExact: Bool) {
    let new = ListSnapshot(rows, of: list, isExact: isExact, revision: newest.revision + 1)
    if new.isSameVersion(as: newest) { return }
    older = older.suffix(PublishedSnapshots.mostOlder - 1) + [(newest.revision, newest.list)]
    newest = new
  }

  /// The list of an older version, or of the oldest that is kept; nil if the newest version is meant.
  func list(at revision: Int) -> SparseList? {
    revision < newest.revision ? older.first { $0.revision >= revision }?.list : nil
  }
}
