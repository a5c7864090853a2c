internal import Nagare
internal import Paging

/// The whole items of a pager: of the item that is shown and of those beside it, as far as they were asked for.
struct WholeItems {
  /// An item that is wanted whole, and how it is listed; nil where it isn't.
  typealias Wanted = (id: ItemID, row: RawJSON?)

  private struct Entry {
    let id: ItemID
    /// The row that it was asked for by.
    var row: RawJSON?
    var item: RawJSON?
    var run: Int?
    var failure: Failure?
  }

  private(set) var revision = 0
  /// Three at most, that of the shown item first.
  private var entries: [Entry] = []
  private var shown: ItemID?

  /// Asks for what is wanted and isn't there, the item that is shown before those beside it, and lets go of all else.
  /// As long as the user hasn't come to rest just an item is asked for whose row has changed.
  mutating func update(_ wanted: [Wanted], isRested: Bool) {
    if shown != wanted.first?.id {
      shown = wanted.first?.id
      revision = UniqueNumber.next()
    }
    let known = entries
    entries = wanted.compactMap { id, row in
      guard var entry = known.first(where: { $0.id == id }) else { return nil }
      if let before = entry.row, let row, before != row {
        // What is read stays until the newer one is there.
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

  /// Has an item asked for again whose load has failed.
  mutating func retry(_ id: ItemID) {
    entries.removeAll { $0.id == id && $0.failure != nil }
    revision = UniqueNumber.next()
  }

  /// The whole item; nil where it isn't there.
  func item(of id: ItemID?) -> RawJSON? { entries.first { $0.id == id }?.item }

  /// Whether the item that is shown is asked for.
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

extension WholeItems: Effect {
  /// Those that are asked for.
  var wanted: WantedNumbers { .ascending(entries.compactMap(\.run).sorted()) }
  /// That of the item that is shown.
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
