/// Tells in which leaf the item with an id may stand.
///
/// All versions of a list share one index, and it only grows. It maps hashes of ids to numbers of leaves, and numbers
/// of leaves to order labels. What it says is a **hint**: whoever asks looks into the tree of their own version, whether
/// there is a leaf with that label and whether it holds the id. So an entry that another version made, or that has
/// grown stale, never changes an answer, and since each version's ids were entered when it was made and nothing is ever
/// taken out, none is missing either. Seen from outside a list is therefore a plain value, though its versions write into
/// one table.
///
/// An index that is full or has too much that is stale is left to the older versions; the version being changed goes
/// on with a new one.
final class ItemIndex {
  /// Hash and leaf number of each entry; 0 where there is none. The slot where the search for a hash begins
  /// rises with the hash, so a table is copied into a larger one front to back.
  private var slots: ContiguousArray<UInt64>
  private var labels: ContiguousArray<Int64>
  /// The entries, stale ones included.
  private(set) var used: Int
  /// How many leaf numbers are given out before they are worth being given out anew.
  let numberLimit: Int
  /// The distance between the labels of neighbours when leaves are added at an end.
  let gap: Int64

  /// The label of a number that has none: no leaf has it.
  private static let noLabel = Int64.min

  private init(
    slots: ContiguousArray<UInt64>, used: Int, labels: ContiguousArray<Int64>, numberLimit: Int, gap: Int64
  ) {
    self.slots = slots
    self.used = used
    self.labels = labels
    self.numberLimit = numberLimit
    self.gap = gap
  }

  /// An index without entries.
  ///
  /// - Parameters:
  ///   - capacity: How many entries it should have room for.
  ///   - labels: The labels of the leaves with the numbers 1, 2, 3…
  ///   - gap: The distance between new labels, at least 2.
  convenience init(capacity: Int, labels: ContiguousArray<Int64> = [], gap: Int64) {
    self.init(
      slots: ContiguousArray(repeating: 0, count: capacity + capacity / 2), used: 0, labels: [Self.noLabel] + labels,
      numberLimit: labels.count * 2 + 1024, gap: gap)
  }

  /// The same entries with room for more.
  func grown(by additions: Int) -> ItemIndex {
    let count = max((used + additions) * 3 / 2, slots.count * 3 / 2) + 8
    let index = ItemIndex(
      slots: ContiguousArray(repeating: 0, count: count), used: 0, labels: labels, numberLimit: numberLimit, gap: gap)
    for slot in slots where slot != 0 { index.insert(UInt32(slot >> 32), number: UInt32(truncatingIfNeeded: slot)) }
    return index
  }

  /// The same entries with other labels for some leaves, and none for the rest.
  func relabelled(_ leaves: ContiguousArray<ItemNode>, gap: Int64) -> ItemIndex {
    var labels = ContiguousArray(repeating: Self.noLabel, count: labels.count)
    for leaf in leaves { labels[Int(leaf.number)] = leaf.label }
    return ItemIndex(slots: slots, used: used, labels: labels, numberLimit: numberLimit, gap: gap)
  }

  /// Whether some entries can be added. A fifth of the slots stays free, which keeps searches short.
  func hasRoom(for additions: Int) -> Bool { (used + additions) * 5 <= slots.count * 4 }

  // MARK: - Leaves

  /// The number that the next leaf will get.
  var nextNumber: UInt32 { UInt32(labels.count) }

  /// Gives a new leaf a number.
  func addLeaf(label: Int64) -> UInt32 {
    labels.append(label)
    return UInt32(labels.count - 1)
  }

  /// The label of the leaf with a number; one that no leaf has, if the number isn't given out yet.
  @inline(__always)
  func label(ofLeaf number: UInt32) -> Int64 { number < nextNumber ? labels[Int(number)] : Self.noLabel }

  /// The first of the labels for new leaves beside the first or last leaf; nil when the labels are used up.
  ///
  /// - Parameters:
  ///   - count: How many leaves there will be.
  ///   - label: The label of the leaf that they go beside.
  ///   - atEnd: Whether they go after it.
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

  // MARK: - Entries

  /// The part of a hash that the index keeps.
  @inline(__always)
  static func key(_ hash: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: hash >> 32) }

  /// Where the search for a key begins.
  @inline(__always)
  func start(of key: UInt32) -> Int { Int(truncatingIfNeeded: (UInt64(key) * UInt64(slots.count)) >> 32) }

  /// The next leaf that may hold an id with this key; nil when there is none, and then ``insert(_:number:at:)`` may
  /// use the place.
  @inline(__always)
  func nextLeaf(for key: UInt32, at place: inout Int) -> UInt32? {
    guard !slots.isEmpty else { return nil }
    while true {
      let slot = slots[place]
      if slot == 0 { return nil }
      place = place + 1 == slots.count ? 0 : place + 1
      if UInt32(truncatingIfNeeded: slot >> 32) == key { return UInt32(truncatingIfNeeded: slot) }
    }
  }

  /// Enters a key in the free slot where the search for it has ended.
  @inline(__always)
  func insert(_ key: UInt32, number: UInt32, at place: Int) {
    slots[place] = UInt64(key) << 32 | UInt64(number)
    used += 1
  }

  /// Enters a key, if it isn't there. There must be room.
  func insert(_ key: UInt32, number: UInt32) {
    var place = start(of: key)
    while let known = nextLeaf(for: key, at: &place) {
      if known == number { return }
    }
    insert(key, number: number, at: place)
  }
}
