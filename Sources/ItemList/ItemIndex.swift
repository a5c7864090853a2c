internal import WireJSON

/// Tells under which key the item with an id may stand.
///
/// All versions of a list share one index. What it says is a **hint**: whoever asks looks into the tree of their own
/// version, whether the item with that key has the id. So a hint that another version has given, or that has grown stale,
/// never changes an answer; and as none is taken out that a version needs, none is missing either. Seen from outside a list
/// is therefore a plain value, though its versions write into one table.
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

  fileprivate func add(_ version: ItemVersion) -> Int {
    versions.append(Handle(version: version))
    return versions.count - 1
  }

  fileprivate func remove(at place: Int) {
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

/// What copies of a list hold together until one of them changes.
final class ItemVersion {
  /// Not checked for overlapping accesses: a change of a leaf sees nothing of the tree.
  @exclusivity(unchecked) private var tree: ItemNode
  let index: ItemIndex
  /// Where the index has it.
  fileprivate var place = 0

  init(_ root: ItemNode = ItemNode(), _ index: ItemIndex) {
    unsafe tree = root
    self.index = index
    place = index.add(self)
  }

  private(set) var root: ItemNode {
    @inline(__always) _read { yield unsafe tree }
    @inline(__always) _modify { yield unsafe &tree }
  }

  deinit { index.remove(at: place) }

  /// Changes the leaf that holds the item at a position, the last one for a position at the end.
  func update(at position: Int, _ change: (inout ItemRun, _ offset: Int) -> Void) {
    let side: ItemNode.Side = position == root.count ? .end : position == 0 ? .start : .middle
    if let rest = root.update(at: position, side, change) { root = ItemNode([root, rest]) }
    while root.children.count == 1 { root = root.children[0] }
  }
}

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
  mutating func insert(_ items: ItemRun) {
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

/// A key in halves, so that what holds one is aligned to four bytes and takes no more than it has to.
struct PackedKey {
  private var high: Int32 = 0
  private var low: UInt32 = 0

  init(_ value: Int64 = 0) { self.value = value }

  @inline(__always) var value: Int64 {
    get { Int64(high) << 32 | Int64(low) }
    set { (high, low) = (Int32(truncatingIfNeeded: newValue >> 32), UInt32(truncatingIfNeeded: newValue)) }
  }
}

/// The keys of neighbours, a fixed distance apart.
struct ItemKeys {
  let first: Int64
  let step: Int64

  /// Keys after another.
  init(after key: Int64, step: Int64) { (first, self.step) = (key &+ step, step) }

  /// So many keys before another.
  init(_ count: Int, before key: Int64, step: Int64) { (first, self.step) = (key &- step &* Int64(count), step) }

  subscript(number: Int) -> Int64 { first &+ Int64(number) &* step }

  /// The number of a key among so many; nil if it is none of them.
  func number(of key: Int64, among count: Int) -> Int? {
    guard count > 0, key >= first else { return nil }
    let (number, rest) = UInt64(bitPattern: key &- first).quotientAndRemainder(dividingBy: UInt64(step))
    return rest == 0 && number < count ? Int(number) : nil
  }
}

extension ItemList {
  /// Keys for items that come before the one at a position. Where there is no room, neighbours get other keys.
  mutating func keys(for count: Int, at position: Int) -> ItemKeys {
    let (before, after) = isEmpty ? (0, nil) : keys(around: position..<position)
    let between = Self.step(for: count, between: before ?? .min, and: after ?? .max)
    guard between > 0 else {
      makeRoom(for: count, at: position)
      return keys(for: count, at: position)
    }
    switch (before, after) {
    case (let before, nil): return ItemKeys(after: before ?? 0, step: Swift.min(gap, between))
    case (nil, let after?): return ItemKeys(count, before: after, step: Swift.min(gap, between))
    case (let before?, let after?):
      // Where items were put in before, others will be beside the last of them: they share no more than they need.
      let (first, last) = keys(around: position - 1..<position + 1)
      let distanceBefore = first.map { UInt64(bitPattern: before &- $0) } ?? .max
      let distanceAfter = last.map { UInt64(bitPattern: $0 &- after) } ?? .max
      if distanceBefore == distanceAfter { return ItemKeys(after: before, step: between) }
      let step = Swift.min(Self.close, between)
      return distanceBefore < distanceAfter
        ? ItemKeys(after: before, step: step) : ItemKeys(count, before: after, step: step)
    }
  }

  /// How far keys are apart at least where there is room.
  private static var close: Int64 { 1 << 16 }

  /// The keys of the items before and behind a range.
  private func keys(around range: Range<Int>) -> (before: Int64?, after: Int64?) {
    var place: ItemNode.Place?
    func key(at position: Int) -> Int64? {
      guard indices.contains(position) else { return nil }
      // Mostly one leaf has both.
      if place.map({ position >= $0.start + $0.leaf.items.count }) ?? true { place = root.place(at: position) }
      return place.map { $0.leaf.items.entries[position - $0.start].key }
    }
    return (key(at: range.lowerBound - 1), key(at: range.upperBound))
  }

  /// How far so many keys can be apart between two others.
  private static func step(for count: Int, between before: Int64, and after: Int64) -> Int64 {
    Int64(UInt64(bitPattern: after &- before) / UInt64(count + 1))
  }

  /// Gives items around a position other keys, so that there is room for so many more between any two: as few items as will
  /// do, for their ids are entered in the index again.
  private mutating func makeRoom(for count: Int, at position: Int) {
    var range = position..<position
    var keys: ItemKeys
    repeat {
      range = Swift.max(0, position - range.count - 32)..<Swift.min(self.count, position + range.count + 32)
      let (before, after) = self.keys(around: range)
      let (lowest, highest) = (before ?? .min / 2, after ?? .max / 2)
      keys = ItemKeys(
        after: lowest, step: lowest < highest ? Self.step(for: range.count, between: lowest, and: highest) : 0)
    } while range.count < self.count && keys.step < Self.close + Int64(count)
    own()
    var next = range.lowerBound
    while next < range.upperBound {
      version.update(at: next) { run, offset in
        let end = Swift.min(run.count, offset + range.upperBound - next)
        run.setKeys(keys, in: offset..<end, from: next - range.lowerBound)
        next += end - offset
      }
    }
    let leaves = leaves(of: range)
    reserve(leaves.reduce(0) { $0 + $1.leaf.items.count })
    for place in leaves { index.table.insert(place.leaf.items) }
  }
}
