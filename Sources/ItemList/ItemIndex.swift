/// Finds the key under which the item with an id may be.
///
/// All versions of a list share one index. A result is a **hint**: the caller checks in the tree of its own version that the
/// item with that key has the id. A stale hint, or one from another version, therefore never changes an answer. A hint that a
/// version needs is never removed, so none is missing. From outside, a list is a plain value, although its versions write
/// into one table.
///
/// A version that finds too much in it that is stale goes on with a new one and leaves this to the others.
final class ItemIndex {
  /// Not checked for overlapping accesses, which costs more than many of them: what takes it for itself asks none of it
  /// otherwise.
  @exclusivity(unchecked) private var hints: ItemTable
  /// The versions that are still held.
  private var versions = ContiguousArray<Handle>()

  private struct Handle { unowned let version: ItemVersion }

  init(_ table: ItemTable) { unsafe hints = table }

  var table: ItemTable {
    @inline(__always) _read { yield unsafe hints }
    @inline(__always) _modify { yield unsafe &hints }
  }

  func add(_ version: ItemVersion) -> Int {
    versions.append(Handle(version: version))
    return versions.count - 1
  }

  func remove(at place: Int) {
    let last = versions.removeLast()
    guard place < versions.count else { return }
    versions[place] = last
    last.version.place = place
  }

  /// Takes out what no version needs of the hints for an id, if there must be some: a version has found so many that it
  /// doesn't need itself.
  func prune(_ hash: UInt64, stale: Int) {
    guard stale > 2 * versions.count else { return }
    table.removeHints(for: hash) { key in
      !versions.contains { handle in
        guard let items = handle.version.root.place(ofKey: key)?.leaf.items, let offset = items.offset(ofKey: key)
        else { return false }
        return items.entries[offset].tag == UInt16(truncatingIfNeeded: hash)
      }
    }
  }
}
