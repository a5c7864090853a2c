internal import WireJSON

/// A hash table from ids to the keys of items, with open addressing.
///
/// A hint consists of 32 bits of an id's hash and a key. It takes 12 bytes, or 16 to 22 including free slots. There may
/// be several hints for one id or one hash.
struct ItemTable {
  private struct Slot {
    /// Half of an id's hash; 0 if the slot is free.
    var hash: UInt32 = 0
    var key = PackedKey()
  }

  /// The key of removed hints, which no item has.
  private static var noKey: Int64 { .min }

  /// The slots. The slot at which the search for a hash starts grows with the hash. So a table can be copied into a
  /// larger one from front to back.
  private var slots = ContiguousArray<Slot>()
  /// The number of hints, including outdated ones.
  private(set) var used = 0
  /// How many outdated hints are allowed, in addition to one for each item.
  private var staleLimit = 128
  /// The distance between the keys of adjacent items that are added at an end.
  let gap: Int64

  init(gap: Int64) { self.gap = gap }

  /// Whether less than half of the hints can be of use to a version with `count` items. Such a version should create a
  /// new table.
  func isStale(count: Int) -> Bool { used > 2 * count + staleLimit }

  /// Doubles the number of allowed hints, because a version has left for a new table. So the cost of new tables is
  /// spread over the additions, even if many versions branch off from an old one.
  mutating func raiseLimit() { staleLimit = 2 * used }

  /// Reserves capacity for more hints. At least a quarter of the slots stays free, which keeps searches short.
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

  /// The state of a search for the hints of one id.
  struct Search {
    fileprivate let hash: UInt32
    fileprivate var place: Int
  }

  /// Starts a search for the id with a hash.
  @inline(__always)
  func search(for hash: UInt64) -> Search {
    let half = UInt32(truncatingIfNeeded: hash >> 32) | 1
    return Search(hash: half, place: Self.start(of: half, slots: slots.count))
  }

  @inline(__always)
  private static func start(of hash: UInt32, slots: Int) -> Int {
    Int(truncatingIfNeeded: (UInt64(hash) &* UInt64(truncatingIfNeeded: slots)) >> 32)
  }

  /// The next key under which the item may be; nil if there is none. After nil, ``insert(_:at:)`` may add a hint at
  /// this place.
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

  /// Adds a hint, unless it exists already. The capacity must suffice.
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

  /// Adds a hint where a search has ended without finding it. The capacity must suffice.
  @inline(__always)
  mutating func insert(_ key: Int64, at search: Search) {
    slots[search.place] = Slot(hash: search.hash, key: PackedKey(key))
    used += 1
  }

  /// Adds hints for items, except those that exist already. The capacity must suffice.
  mutating func insert(_ items: LeafItems) {
    for offset in 0..<items.count { insert(items.entries[offset].key, for: items.idHash(at: offset)) }
  }

  /// Removes the hints for an id whose keys are useless.
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

  /// The hashes of a batch of ids. The batch is as large as the number of memory reads that the processor can have in
  /// flight at once.
  #if os(macOS) || os(iOS)
    // `InlineArray` needs version 26 of Apple's systems.
    typealias Hashes = SIMD64<UInt64>
  #else
    typealias Hashes = InlineArray<64, UInt64>
  #endif

  /// The hashes of the ids of a page's next items; 0 after the last item.
  ///
  /// It reads a byte of every id first, and finally every slot at which a search will start. So the processor fetches
  /// all of them from memory in parallel, rather than one after another.
  func hashes(of items: Span<RawItems.Slice>, in bytes: Span<UInt8>) -> Hashes {
    var hashes = Hashes(repeating: 0)
    var seen = 0 as UInt64
    let batch = 0..<min(items.count, Self.batchSize)
    for position in batch { seen |= UInt64(bytes[Int(items[position].idStart)]) }
    for position in batch { hashes[position] = CanonicalScalar.hash(of: bytes.extracting(items[position].idRange)) }
    if !slots.isEmpty {
      for position in batch { seen |= UInt64(slots[search(for: hashes[position]).place].hash) }
    }
    // This is always true, because no id is empty. It keeps the optimizer from removing the reads.
    precondition(seen != 0 || items.isEmpty)
    return hashes
  }
}
