internal import WireJSON

/// A hash table from ids to keys of items, with open addressing.
///
/// A hint is 32 bits of an id's hash and a key: 12 bytes, and with the free slots 16 to 22. One id may have several, as may
/// one hash.
struct ItemTable {
  private struct Slot {
    /// Half of an id's hash; 0 where there is no hint.
    var hash: UInt32 = 0
    var key = PackedKey()
  }

  /// A key that no item has: that of a hint that was taken out.
  private static var noKey: Int64 { .min }

  /// The slot where the search for a hash begins rises with the hash, so a table is copied into a larger one from front to
  /// back.
  private var slots = ContiguousArray<Slot>()
  /// The hints, stale ones included.
  private(set) var used = 0
  /// How many of them may be stale, beside as many as there are items.
  private var staleLimit = 128
  /// The distance between the keys of neighbours when items are added at an end.
  let gap: Int64

  init(gap: Int64) { self.gap = gap }

  /// Whether less than half of the hints can be of use to a version of so many items, which should have a table of its own.
  func isStale(count: Int) -> Bool { used > 2 * count + staleLimit }

  /// Puts up with twice as much, since a version that did not has left. So whatever number of versions branch off from an
  /// old one, the cost of a new table is spread over as many additions.
  mutating func raiseLimit() { staleLimit = 2 * used }

  /// Makes room for some hints. A quarter of the slots stays free, which keeps searches short.
  mutating func reserve(_ additions: Int) {
    guard (used + additions) * 4 > slots.count * 3 else { return }
    let old = slots
    slots = ContiguousArray(repeating: Slot(), count: max(used + additions, slots.count) * 3 / 2 + 8)
    var hints = 0
    var target = slots.mutableSpan
    for slot in old where slot.hash != 0 && slot.key.value != Self.noKey {
      var place = Self.start(of: slot.hash, slots: target.count)
      while target[place].hash != 0 { place = place + 1 == target.count ? 0 : place + 1 }
      target[place] = slot
      hints += 1
    }
    used = hints
  }

  /// A search for the hints for an id.
  struct Search {
    fileprivate let hash: UInt32
    fileprivate var place: Int
  }

  /// Begins a search for an id with a hash.
  @inline(__always)
  func search(for hash: UInt64) -> Search {
    let half = UInt32(truncatingIfNeeded: hash >> 32) | 1
    return Search(hash: half, place: Self.start(of: half, slots: slots.count))
  }

  @inline(__always)
  private static func start(of hash: UInt32, slots: Int) -> Int {
    Int(truncatingIfNeeded: (UInt64(hash) &* UInt64(truncatingIfNeeded: slots)) >> 32)
  }

  /// The next key under which the item may be; nil when there is none, and then ``insert(_:at:)`` may end the search.
  @inline(__always)
  func nextKey(_ search: inout Search) -> Int64? {
    let slots = slots.span
    guard !slots.isEmpty else { return nil }
    while true {
      let slot = slots[search.place]
      if slot.hash == 0 { return nil }
      search.place = search.place + 1 == slots.count ? 0 : search.place + 1
      if slot.hash == search.hash, slot.key.value != Self.noKey { return slot.key.value }
    }
  }

  /// Enters a hint, unless it is there already. There must be room.
  mutating func insert(_ key: Int64, for hash: UInt64) {
    var search = search(for: hash)
    while slots[search.place].hash != 0 {
      let known = slots[search.place].key.value
      if slots[search.place].hash == search.hash, known == key || known == Self.noKey {
        slots[search.place].key.value = key
        return
      }
      search.place = search.place + 1 == slots.count ? 0 : search.place + 1
    }
    insert(key, at: search)
  }

  /// Enters a hint where a search has ended without it. There must be room.
  @inline(__always)
  mutating func insert(_ key: Int64, at search: Search) {
    slots[search.place] = Slot(hash: search.hash, key: PackedKey(key))
    used += 1
  }

  /// Enters hints for items, those that aren't there. There must be room.
  mutating func insert(_ items: LeafItems) {
    for offset in 0..<items.count { insert(items.entries[offset].key, for: items.idHash(at: offset)) }
  }

  /// Takes out those hints for an id whose keys are useless.
  mutating func removeHints(for hash: UInt64, where isUseless: (_ key: Int64) -> Bool) {
    var search = search(for: hash)
    while slots[search.place].hash != 0 {
      let slot = slots[search.place]
      if slot.hash == search.hash, slot.key.value != Self.noKey, isUseless(slot.key.value) {
        slots[search.place].key.value = Self.noKey
      }
      search.place = search.place + 1 == slots.count ? 0 : search.place + 1
    }
  }

  // MARK: - Pages

  /// How many ids are hashed at once.
  static var batchSize: Int { 64 }

  /// The hashes of some items' ids, of as many as the processor can wait for at once.
  #if os(macOS) || os(iOS)
    // `InlineArray` is in Apple's systems from version 26 on.
    typealias Hashes = SIMD64<UInt64>
  #else
    typealias Hashes = InlineArray<64, UInt64>
  #endif

  /// The hashes of the ids of a page's next items, 0 where there are no more.
  ///
  /// It looks at all ids first, and at last at all the slots where searches will begin, so that the processor fetches
  /// each kind from memory together and not one after the other.
  func hashes(of items: Span<RawItems.Slice>, in bytes: Span<UInt8>) -> Hashes {
    var hashes = Hashes(repeating: 0)
    var seen = 0 as UInt64
    let batch = 0..<min(items.count, Self.batchSize)
    for position in batch { seen |= UInt64(bytes[Int(items[position].idStart)]) }
    for position in batch { hashes[position] = CanonicalScalar.hash(of: bytes.extracting(items[position].idRange)) }
    if !slots.isEmpty {
      for position in batch { seen |= UInt64(slots[search(for: hashes[position]).place].hash) }
    }
    // Always true, as no id is empty; it keeps the optimizer from dropping the loads.
    precondition(seen != 0 || items.isEmpty)
    return hashes
  }
}
