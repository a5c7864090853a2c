internal import WireJSON

/// Tells in which leaf the item with an id may stand.
///
/// All versions of a list share one index, and it only grows. What it says is a **hint**: whoever asks looks into the
/// tree of their own version, whether the leaf under which that label belongs holds the id. So an entry that another
/// version made, or that has grown stale, never changes an answer; and since each version's ids were entered when it was
/// made and nothing is ever taken out, none is missing either. Seen from outside a list is therefore a plain value, though
/// its versions write into one table.
///
/// A version that finds too much in it that is stale goes on with a new one and leaves this to the others.
final class ItemIndex {
  var table: ItemTable

  init(_ table: ItemTable) {
    self.table = table
  }
}

/// A hash table from ids to numbers of leaves, with open addressing, and the order labels of the leaves.
///
/// An entry is 32 bits of an id's hash and a number: 8 bytes, and with the free slots 12 to 18. One id may have several,
/// as may one hash.
struct ItemTable {
  /// Hash and leaf number of each entry; 0 where there is none. The slot where the search for a hash begins
  /// rises with the hash, so a table is copied into a larger one from front to back.
  private var slots = ContiguousArray<UInt64>()
  /// The entries, stale ones included.
  private(set) var used = 0
  /// The labels of the leaves, by number. A number stands for its label for good: a version that makes the leaf that
  /// another has made gives it the same number.
  private(set) var labels: ContiguousArray = [noLabel]
  private var numbers: [Int64: UInt32] = [:]
  /// How many entries and leaf numbers may be stale; see ``isStale(count:)``.
  private var (staleLimit, numberLimit) = (128, 1024)
  /// The distance between the labels of neighbours when leaves are added at an end.
  let gap: Int64

  /// The label of a number that has none: no leaf has it.
  private static let noLabel = Int64.min

  /// Makes a table without entries.
  ///
  /// - Parameter gap: The distance between new labels, at least 2.
  init(gap: Int64) {
    self.gap = gap
  }

  /// The same entries with other labels.
  ///
  /// - Parameters:
  ///   - leaves: The leaves, with their new labels.
  ///   - gap: The distance between them.
  ///   - number: Gives the number of the leaf under which an old label belongs.
  /// - Returns: The table.
  func relabelled(
    _ leaves: ContiguousArray<ItemNode>, gap: Int64, _ number: (_ oldLabel: Int64) -> UInt32?
  ) -> ItemTable {
    var table = ItemTable(gap: gap)
    table.slots = slots
    table.used = used
    (table.staleLimit, table.numberLimit) = (staleLimit, numberLimit)
    table.labels = ContiguousArray(repeating: Self.noLabel, count: labels.count)
    for leaf in leaves {
      table.labels[Int(leaf.number)] = leaf.label
      table.numbers[leaf.label] = leaf.number
    }
    // A number whose leaf is gone stands for the leaf that has taken in its items.
    for gone in labels.indices where table.labels[gone] == Self.noLabel && labels[gone] != Self.noLabel {
      if let number = number(labels[gone]) { table.labels[gone] = table.labels[Int(number)] }
    }
    return table
  }

  /// Whether less than half of the entries can be of use to a version, or many leaves are gone.
  ///
  /// - Parameter count: The version's items.
  /// - Returns: Whether the version should have a table of its own.
  func isStale(count: Int) -> Bool { used > 2 * count + staleLimit || labels.count > count / 8 + numberLimit }

  /// Puts up with twice as much, since a version that did not has left. So whatever number of versions branch off from an
  /// old one, the cost of a new table is spread over as many additions.
  mutating func raiseLimits() {
    staleLimit = 2 * used
    numberLimit = 2 * labels.count
  }

  /// Makes room for some entries. A third of the slots stays free, which keeps searches short.
  mutating func reserve(_ additions: Int) {
    guard (used + additions) * 3 > slots.count * 2 else { return }
    let old = slots
    slots = ContiguousArray(repeating: 0, count: max(used + additions, slots.count) * 3 / 2 + 8)
    var target = slots.mutableSpan
    for slot in old where slot != 0 {
      var place = Self.start(of: UInt32(truncatingIfNeeded: slot >> 32), slots: target.count)
      while target[place] != 0 { place = place + 1 == target.count ? 0 : place + 1 }
      target[place] = slot
    }
  }

  // MARK: - Leaves

  /// The number of the leaf with a label, a new one if need be.
  mutating func number(ofLeafAt label: Int64) -> UInt32 {
    if let number = numbers[label] { return number }
    let number = UInt32(labels.count)
    labels.append(label)
    numbers[label] = number
    return number
  }

  /// The label of the leaf with a number.
  @inline(__always)
  func label(ofLeaf number: UInt32) -> Int64 { labels[Int(number)] }

  /// The first of the labels for new leaves beside the first or last leaf.
  ///
  /// - Parameters:
  ///   - count: How many leaves there will be.
  ///   - label: The label of the leaf that they go beside.
  ///   - atEnd: Whether they go after it.
  /// - Returns: The label, or nil when the labels are used up.
  func firstLabel(of count: Int, beside label: Int64, atEnd: Bool) -> Int64? {
    let (width, isTooWide) = gap.multipliedReportingOverflow(by: Int64(count))
    let (end, overflow) = atEnd ? label.addingReportingOverflow(width) : label.subtractingReportingOverflow(width)
    guard !isTooWide, !overflow, end != Self.noLabel else { return nil }
    return atEnd ? label &+ gap : end
  }

  /// The label for a leaf between two others, or after the last; nil when there is none left.
  func label(between label: Int64, and next: Int64?) -> Int64? {
    guard let next else { return firstLabel(of: 1, beside: label, atEnd: true) }
    let distance = UInt64(bitPattern: next &- label)
    return distance < 2 ? nil : label &+ Int64(distance / 2)
  }

  /// Labels for leaves between two others, or after the last; nil where there are too few.
  func labels(_ count: Int, between label: Int64, and next: Int64?) -> [Int64]? {
    guard count > 0 else { return [] }
    guard let next else {
      return firstLabel(of: count, beside: label, atEnd: true).map { first in
        (0..<Int64(count)).map { first &+ $0 &* gap }
      }
    }
    let step = UInt64(bitPattern: next &- label) / UInt64(count + 1)
    return step == 0 ? nil : (1...UInt64(count)).map { label &+ Int64(bitPattern: $0 &* step) }
  }

  // MARK: - Entries

  /// A search for the leaves that may hold an id, or the place for another entry of it.
  struct Search {
    fileprivate let key: UInt32
    fileprivate var slot: Int
  }

  /// Begins a search for an id with a hash.
  @inline(__always)
  func search(for hash: UInt64) -> Search {
    let key = UInt32(truncatingIfNeeded: hash >> 32)
    return Search(key: key, slot: Self.start(of: key, slots: slots.count))
  }

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
    for position in batch { hashes[position] = ItemID.hash(of: bytes.extracting(items[position].idRange)) }
    if !slots.isEmpty {
      for position in batch { seen |= slots[search(for: hashes[position]).slot] }
    }
    // Always true, as no id is empty; it keeps the optimizer from dropping the loads.
    precondition(seen != 0 || items.isEmpty)
    return hashes
  }

  @inline(__always)
  private static func start(of key: UInt32, slots: Int) -> Int {
    Int(truncatingIfNeeded: (UInt64(key) &* UInt64(truncatingIfNeeded: slots)) >> 32)
  }

  /// The next leaf that may hold the id; nil when there is none, and then ``insert(_:at:)`` may end the search.
  @inline(__always)
  func nextLeaf(_ search: inout Search) -> UInt32? {
    let slots = slots.span
    guard !slots.isEmpty else { return nil }
    while true {
      let entry = slots[search.slot]
      if entry == 0 { return nil }
      search.slot = search.slot + 1 == slots.count ? 0 : search.slot + 1
      if UInt32(truncatingIfNeeded: entry >> 32) == search.key { return UInt32(truncatingIfNeeded: entry) }
    }
  }

  /// Enters a leaf where the search for an id has ended without it. There must be room.
  @inline(__always)
  mutating func insert(_ number: UInt32, at search: Search) {
    slots[search.slot] = UInt64(search.key) << 32 | UInt64(number)
    used += 1
  }

  /// Enters a leaf for an id with a hash, unless it is there already. There must be room.
  mutating func insert(_ number: UInt32, for hash: UInt64) {
    var search = search(for: hash)
    while let known = nextLeaf(&search) {
      if known == number { return }
    }
    insert(number, at: search)
  }

  /// Enters the ids of a leaf, those that aren't there. There must be room.
  mutating func insert(_ node: ItemNode) {
    guard case .leaf(let leaf) = node.body else { return }
    for entry in leaf.entries {
      let buffer = leaf.buffers[Int(entry.buffer)]
      insert(node.number, for: entry.idHash(in: buffer.span))
    }
  }
}

/// The items of a page that are new to a list, on their way into its first or last leaf and new leaves beside it.
///
/// Which leaf each goes to is settled as it arrives, so that the index learns of it at once and an id that stands
/// twice in the page is found like any other.
struct ItemArrivals {
  private let buffer: [UInt8]
  let atEnd: Bool
  private(set) var entries = ContiguousArray<ItemEntry>()
  /// The leaves that take arrivals, and where in `entries` each one's begin.
  private var leaves = ContiguousArray<(number: UInt32, label: Int64, start: Int)>()
  /// How many more the last of them takes.
  private var room = 0
  private var nextLabel: Int64
  /// The distance between the labels of the leaves.
  private let gap: Int64

  /// Makes room for arrivals.
  ///
  /// - Parameters:
  ///   - buffer: The page's bytes.
  ///   - count: How many may arrive.
  ///   - edge: The leaf at that end of the list.
  ///   - label: The label of the first new leaf.
  ///   - gap: The distance between the labels of new leaves.
  ///   - atEnd: Whether they go to the end of the list, or to its front.
  init(in buffer: [UInt8], count: Int, beside edge: ItemLeafPlace?, firstLabel label: Int64, gap: Int64, atEnd: Bool) {
    self.buffer = buffer
    self.gap = gap
    self.atEnd = atEnd
    nextLabel = label
    entries.reserveCapacity(count)
    leaves.reserveCapacity(count / ItemLeaf.capacity + 2)
    if let edge, edge.leaf.count + (atEnd ? 1 : count) <= ItemLeaf.capacity {
      leaves.append((edge.number, edge.label, 0))
      room = ItemLeaf.capacity - edge.leaf.count
    }
  }

  /// Takes in one more.
  ///
  /// - Parameters:
  ///   - entry: The item.
  ///   - table: The index's table, which gives out the numbers of new leaves.
  /// - Returns: The number of the leaf that the item will be in.
  @inline(__always)
  mutating func append(_ entry: ItemEntry, _ table: inout ItemTable) -> UInt32 {
    if room == 0 {
      leaves.append((table.number(ofLeafAt: nextLabel), nextLabel, entries.count))
      nextLabel &+= gap
      room = ItemLeaf.capacity
    }
    room -= 1
    entries.append(entry)
    return leaves[leaves.count - 1].number
  }

  /// Puts an entry in the place of that with its id.
  ///
  /// - Parameters:
  ///   - entry: The entry.
  ///   - label: The label of the leaf where the other is to be.
  /// - Returns: Whether there is one.
  mutating func replace(with entry: ItemEntry, inLeafAt label: Int64) -> Bool {
    guard let first = leaves.first?.label, label >= first else { return false }
    let distance = UInt64(bitPattern: label &- first) / UInt64(gap)
    guard distance < leaves.count, leaves[Int(distance)].label == label else { return false }
    let leaf = Int(distance)
    let buffer = buffer
    let bytes = buffer.span
    let id = bytes.extracting(entry.idRange)
    let known = range(ofLeaf: leaf).first { position in
      entries[position].tag == entry.tag && ItemID.equal(bytes.extracting(entries[position].idRange), id)
    }
    guard let known else { return false }
    entries[known] = entry
    return true
  }

  /// Makes the leaves.
  ///
  /// - Parameter edge: The leaf at that end of the list.
  /// - Returns: The leaves with the arrivals and the one that was there, in their order.
  func nodes(beside edge: ItemLeafPlace?) -> ContiguousArray<ItemNode> {
    var nodes = ContiguousArray<ItemNode>()
    nodes.reserveCapacity(leaves.count + 1)
    for position in leaves.indices {
      let (leaf, arrivals) = (leaves[position], entries[range(ofLeaf: position)])
      let items = edge.flatMap { $0.label == leaf.label ? $0.leaf : nil }
      nodes.append(ItemNode(merge(arrivals, with: items), label: leaf.label, number: leaf.number))
    }
    if let edge, leaves[0].label != edge.label {
      nodes.insert(ItemNode(edge.leaf, label: edge.label, number: edge.number), at: atEnd ? 0 : nodes.count)
    }
    return nodes
  }

  private func merge(_ arrivals: ContiguousArray<ItemEntry>.SubSequence, with leaf: ItemLeaf?) -> ItemLeaf {
    var items = ItemLeafBuilder(capacity: arrivals.count + (leaf?.count ?? 0))
    if atEnd, let leaf { items.append(leaf) }
    items.append(arrivals, in: buffer)
    if !atEnd, let leaf { items.append(0..<leaf.count, of: leaf) }
    return items.leaf
  }

  private func range(ofLeaf leaf: Int) -> Range<Int> {
    leaves[leaf].start..<(leaf + 1 < leaves.count ? leaves[leaf + 1].start : entries.count)
  }
}
