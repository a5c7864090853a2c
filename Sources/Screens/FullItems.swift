internal import Nagare
internal import Paging

/// The full items of a pager: the current item, and those next to it. Each has been loaded, is loading, or has failed.
struct FullItems {
  /// The id of a full item that is needed, and its row; nil if the item isn't listed.
  typealias Wanted = (id: ItemID, row: RawJSON?)

  private struct Entry {
    let id: ItemID
    /// The row for which the full item was requested.
    var row: RawJSON?
    var item: RawJSON?
    var run: Int?
    var failure: Failure?
  }

  private(set) var revision = 0
  /// At most three entries. The current item's comes first.
  private var entries: [Entry] = []
  private var shown: ItemID?

  /// Requests the needed items that are missing, and drops all others. The current item is requested first, and those
  /// next to it after it has loaded. While the user is swiping, only items whose rows have changed are requested.
  mutating func update(_ wanted: [Wanted], isRested: Bool) {
    if shown != wanted.first?.id {
      shown = wanted.first?.id
      revision = UniqueNumber.next()
    }
    let known = entries
    entries = wanted.compactMap { id, row in
      guard var entry = known.first(where: { $0.id == id }) else { return nil }
      if let before = entry.row, let row, before != row {
        // The loaded item stays until the newer one has loaded.
        if id != shown { return nil }
        ask(&entry)
      }
      entry.row = row ?? entry.row
      return entry
    }
    if entries.count < known.count { revision = UniqueNumber.next() }
    guard isRested else { return }
    for (id, row) in wanted where !entries.contains(where: { $0.id == id }) {
      if id != shown, item(of: shown) == nil { break }
      var entry = Entry(id: id, row: row)
      ask(&entry)
      entries.append(entry)
    }
  }

  /// Drops a failed item, so that it is requested again.
  mutating func retry(_ id: ItemID) {
    entries.removeAll { $0.id == id && $0.failure != nil }
    revision = UniqueNumber.next()
  }

  /// Returns the full item; nil if it isn't loaded.
  func item(of id: ItemID?) -> RawJSON? { entries.first { $0.id == id }?.item }

  /// Whether the current item is loading.
  var isLoading: Bool { entries.contains { $0.id == shown && $0.run != nil } }

  private mutating func ask(_ entry: inout Entry) {
    revision = UniqueNumber.next()
    entry.run = revision
    entry.failure = nil
  }

  private mutating func end(_ number: Int, _ change: (inout Entry) -> Void) {
    revision = UniqueNumber.next()
    guard let place = entries.firstIndex(where: { $0.run == number }) else { return }
    entries[place].run = nil
    change(&entries[place])
  }
}

extension FullItems: Effect {
  /// The requests that should be running.
  var wanted: WantedNumbers { .ascending(entries.compactMap(\.run).sorted()) }
  /// The failure of the current item.
  var failure: Failure? { entries.first { $0.id == shown }?.failure }

  func request(_ number: Int) -> ItemID? { entries.first { $0.run == number }?.id }

  mutating func receive(_ item: RawJSON, of number: Int) { end(number) { $0.item = item } }

  mutating func end(_ number: Int, failure: Failure?) {
    end(number) { entry in
      entry.failure = failure
      entry.failure?.trigger = "item"
    }
  }
}
