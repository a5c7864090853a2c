/// Finds the key of the item with an id.
///
/// All versions of a list share one index. The index returns **hints**: keys under which the item may be. The caller
/// then checks in its own version whether the item with that key has the id.
///
/// - Outdated hints, and hints of other versions, never change a result.
/// - A hint that any version needs is never removed.
/// - If a version finds too many outdated hints, it creates an index for itself and leaves this one to the others.
final class ItemIndex {
  /// Run-time checks for overlapping accesses are off, because they would cost more than many of the accesses. They
  /// aren't needed: while a caller changes the table, it doesn't use the index in any other way.
  @exclusivity(unchecked) private var hints: ItemTable
  /// The versions that use the index.
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

  /// Removes the hints for an id's hash that no version needs. Does nothing unless a version found so many outdated
  /// hints that some must be unneeded.
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
