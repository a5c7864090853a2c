internal import ItemList
internal import WireJSON

/// An order of places for items, of which some are shown and the others hidden.
///
/// Three lists hold it: all places, the hidden ones, and the items that are shown. Each place is in one of the last two,
/// so a position among all is the sum of the positions in these, and showing or hiding one costs O(log n). What an
/// insertion takes as its place is a marker: an item whose id no source can give.
struct SlotOrder {
  /// A place in the order.
  enum Slot: Equatable {
    /// Where the source has the item with an id.
    case row(ItemID)
    /// Where the insertion with a number puts its item.
    case insertion(UInt)
    /// Where the block of an insertion begins: all that was put before its item, and the item. It is always hidden.
    case blockStart(UInt)
  }

  /// The items that are shown.
  private(set) var shown = ItemList()
  private var all = ItemList()
  private var hidden = ItemList()
  /// An empty list. Making one takes several allocations.
  private let empty = ItemList()

  /// An order without places.
  init() {}

  /// Whether each place is in one of the other two lists.
  var isComplete: Bool { all.count == shown.count + hidden.count }

  /// How many places there are.
  var count: Int { all.count }

  func contains(_ place: Slot) -> Bool { index(of: place) != nil }

  /// Where a place is among all.
  func index(of place: Slot) -> Int? {
    let key = place.key
    return all.index(ofRawID: key.span)
  }

  /// The item that the source has under an id.
  func row(_ id: ItemID) -> ItemList.Item? { all.item(withID: id) }

  // MARK: - Showing

  /// Shows an item in a place that is hidden.
  mutating func show(_ place: Slot, as item: ItemList.Item) {
    let key = place.key
    guard let position = all.index(ofRawID: key.span), let hidden = hidden.remove(rawID: key.span) else { return }
    shown.insert(item, at: position - hidden)
  }

  /// Shows another item with the same id in the place where that is shown.
  mutating func update(_ item: ItemList.Item) { shown.replace(item) }

  /// Hides a place in which the item with an id is shown.
  mutating func hide(_ place: Slot, of id: ItemID) {
    guard let position = index(of: place), let shown = shown.remove(id) else { return }
    hidden.insert(all[position], at: position - shown)
  }

  // MARK: - Places

  /// Adds the place of an insertion, or a block start, which the item with an id may be shown in; hidden if it isn't.
  mutating func insert(_ place: Slot, of id: ItemID, at position: Int, showing item: ItemList.Item? = nil) {
    insert(place.marker(for: id), at: position, showing: item)
  }

  /// Takes a hidden place away; where there is none, nothing changes.
  mutating func remove(_ place: Slot) {
    let key = place.key
    if hidden.remove(rawID: key.span) != nil { all.remove(rawID: key.span) }
  }

  /// Takes a hidden place away from the hidden ones alone: the list of all places is to be replaced.
  mutating func removeHidden(_ place: Slot) { hidden.remove(rawID: place.key.span) }

  /// Whether the list of all places is a list of rows.
  func areShared(with rows: ItemList) -> Bool { all.isIdentical(to: rows) }

  /// The list of all places is a list of rows, some of which are hidden.
  mutating func share(_ rows: ItemList) { all = rows }

  /// The source has the item of an insertion: its place is the row's from now on, shown or hidden as it was.
  mutating func makeRow(ofEdit number: UInt, _ item: ItemList.Item) {
    let key = Slot.insertion(number).key
    guard let position = all.remove(rawID: key.span) else { return }
    all.insert(item, at: position)
    if let position = hidden.remove(rawID: key.span) { hidden.insert(item, at: position) }
  }

  /// The item of an insertion has another id, and is listed nowhere else.
  mutating func rename(_ old: ItemID, to item: ItemList.Item, inInsertion number: UInt) {
    for place in [Slot.insertion(number), .blockStart(number)] where contains(place) {
      let marker = place.marker(for: item.itemID)
      all.replace(marker)
      hidden.replace(marker)
    }
    if let position = shown.remove(old) { shown.insert(item, at: position) }
  }

  /// The source has another item under the same id, if it has one; what is shown stays.
  @discardableResult
  mutating func replaceRow(_ item: ItemList.Item) -> Bool { all.replace(item) }

  /// The source has another item under the same id, which is shown where the row is.
  mutating func replaceShownRow(_ item: ItemList.Item) {
    let isAllShown = all.isIdentical(to: shown)
    shown.replace(item)
    if isAllShown { all = shown } else { all.replace(item) }
  }

  /// Moves neighbouring places together, which keep their order, before a place as it stands before they move.
  mutating func move(_ block: Range<Int>, to target: Int) {
    let isForward = target > block.upperBound
    guard isForward || target < block.lowerBound else { return }
    let passed = isForward ? block.upperBound..<target : target..<block.lowerBound
    // The smaller goes over the larger.
    let (small, large) = block.count < passed.count ? (block, passed) : (passed, block)
    let position = small.lowerBound < large.lowerBound ? small.lowerBound + large.count : large.lowerBound
    put(take(small), at: position)
  }

  /// A place that was taken out, and what is shown in it.
  typealias Taken = (place: ItemList.Item, shown: ItemList.Item?)

  /// Takes neighbouring places out, to be put elsewhere. Costs what they cost, and O(log n).
  mutating func take(_ range: Range<Int>) -> [Taken] {
    let shownRange = shownCount(before: range.lowerBound)..<shownCount(before: range.upperBound)
    let hiddenRange = range.lowerBound - shownRange.lowerBound..<range.upperBound - shownRange.upperBound
    var (items, markers) = (shown.items(in: shownRange)[...], hidden.items(in: hiddenRange)[...])
    let taken = all.items(in: range).map { place in
      let isHidden = markers.first.map { ItemID.equal($0.rawID.span, place.rawID.span) } ?? false
      if isHidden { markers.removeFirst() }
      return (place, isHidden ? nil : items.popFirst())
    }
    all.replaceSubrange(range, with: [])
    shown.replaceSubrange(shownRange, with: [])
    hidden.replaceSubrange(hiddenRange, with: [])
    return taken
  }

  /// Puts places that were taken out at a position among all. Costs what they cost, and O(log n).
  mutating func put(_ taken: [Taken], at position: Int) {
    let shownBefore = shownCount(before: position)
    let hiddenBefore = position - shownBefore
    all.replaceSubrange(position..<position, with: taken.map(\.place))
    shown.replaceSubrange(shownBefore..<shownBefore, with: taken.compactMap(\.shown))
    hidden.replaceSubrange(
      hiddenBefore..<hiddenBefore, with: taken.compactMap { $0.shown == nil ? $0.place : nil })
  }

  private mutating func insert(_ place: ItemList.Item, at position: Int, showing item: ItemList.Item?) {
    let shownBefore = shownCount(before: position)
    all.insert(place, at: position)
    if let item { shown.insert(item, at: shownBefore) } else { hidden.insert(place, at: position - shownBefore) }
  }

  /// How many of the items that are shown stand before a position among all.
  func shownCount(before position: Int) -> Int {
    guard position < all.count else { return shown.count }
    let place = all[position]
    if let hidden = hidden.index(ofRawID: place.rawID.span) { return position - hidden }
    return shown.index(ofRawID: place.shownID.span) ?? 0
  }

  /// The rows are others, and all are shown. There are no other places.
  mutating func show(_ rows: ItemList) {
    shown = rows
    join()
  }

  /// All places are rows again that are shown: the lists share what they hold from now on.
  mutating func join() {
    all = shown
    if !hidden.isEmpty { hidden = empty }
  }

  /// Lets go of all slots, so that whoever else holds the rows can change them where they lie.
  mutating func removeAll() { (shown, all, hidden) = (empty, empty, empty) }
}

extension SlotOrder.Slot {
  /// The id under which the lists of places have it. A row has its own; the others have a text with a character in it
  /// that no JSON text holds as it is.
  var key: [UInt8] {
    switch self {
    case .row(let id): id.json
    case .insertion(let number): Array("\"\u{1}\(number)\"".utf8)
    case .blockStart(let number): Array("\"\u{1}(\(number)\"".utf8)
    }
  }

  /// What stands in the lists of places: the key, and behind it the id of the item that may be shown there.
  func marker(for id: ItemID) -> ItemList.Item {
    let key = key
    let (length, keyLength) = (UInt32(key.count + id.json.count), UInt32(key.count))
    let slice = RawItems.Slice(start: 0, length: length, idStart: 0, idLength: keyLength)
    return ItemList.Item(RawItems(bytes: key + id.json, slices: [slice]), at: 0)
  }
}

extension ItemList.Item {
  /// The id of the item that may be shown in the place that this stands for.
  fileprivate var shownID: ArraySlice<UInt8> {
    rawID.dropFirst().first == 1 ? bytes.dropFirst(rawID.count) : rawID
  }
}
