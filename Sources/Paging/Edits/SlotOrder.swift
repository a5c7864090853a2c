internal import ItemList
internal import WireJSON

/// An ordered sequence of slots. Each slot has a position for an item, and either shows the item or is hidden.
///
/// - Three lists store it: all slots, the hidden slots, and the shown items. Each slot is in exactly one of the last
///   two.
/// - So a slot's position among all slots is the sum of its positions in the other two lists. Showing or hiding a slot
///   costs O(log n).
/// - In the lists, a *marker* represents the slot of an insertion: an item with an id that no source can give.
struct SlotOrder {
  /// A position in the order.
  enum Slot: Equatable {
    /// The row with an id, where the source has it.
    case row(ItemID)
    /// The position of the item that an insertion with a number inserts.
    case insertion(UInt)
    /// The start of an insertion's block. The block contains everything that was inserted before the item, followed by
    /// the item itself. This slot is always hidden.
    case blockStart(UInt)
  }

  /// The shown items.
  private(set) var shown = ItemList()
  private var all = ItemList()
  private var hidden = ItemList()
  /// A shared empty list, because creating a list costs several allocations.
  private let empty = ItemList()

  /// Creates an order without slots.
  init() {}

  /// Whether each slot is either shown or hidden.
  var isComplete: Bool { all.count == shown.count + hidden.count }

  /// The number of slots.
  var count: Int { all.count }

  func contains(_ place: Slot) -> Bool { index(of: place) != nil }

  /// The position of a slot among all slots.
  func index(of place: Slot) -> Int? {
    let key = place.key
    return all.index(ofRawID: key.span)
  }

  /// The source's item with an id.
  func row(_ id: ItemID) -> ItemList.Item? { all.item(withID: id) }

  // MARK: - Showing

  /// Shows an item in a hidden slot.
  mutating func show(_ place: Slot, as item: ItemList.Item) {
    let key = place.key
    guard let position = all.index(ofRawID: key.span), let hidden = hidden.remove(rawID: key.span) else { return }
    shown.insert(item, at: position - hidden)
  }

  /// Replaces a shown item by one with the same id.
  mutating func update(_ item: ItemList.Item) { shown.replace(item) }

  /// Hides the slot in which the item with an id is shown.
  mutating func hide(_ place: Slot, of id: ItemID) {
    guard let position = index(of: place), let shown = shown.remove(id) else { return }
    hidden.insert(all[position], at: position - shown)
  }

  // MARK: - Slots

  /// Adds the slot of an insertion, or the start of a block. The slot is hidden if `item` is nil.
  ///
  /// - Parameters:
  ///   - place: the new slot.
  ///   - id: the id of the item that may be shown in the slot.
  ///   - position: the slot's position among all slots.
  ///   - item: the item to show in it.
  mutating func insert(_ place: Slot, of id: ItemID, at position: Int, showing item: ItemList.Item? = nil) {
    insert(place.marker(for: id), at: position, showing: item)
  }

  /// Removes a slot, if it is hidden.
  mutating func remove(_ place: Slot) {
    let key = place.key
    if hidden.remove(rawID: key.span) != nil { all.remove(rawID: key.span) }
  }

  /// Removes a slot only from the hidden ones. The list of all slots must be replaced afterwards.
  mutating func removeHidden(_ place: Slot) { hidden.remove(rawID: place.key.span) }

  /// Whether the list of all slots is identical to a list of rows.
  func areShared(with rows: ItemList) -> Bool { all.isIdentical(to: rows) }

  /// Uses a list of rows as the list of all slots. Some of the rows may be hidden.
  mutating func share(_ rows: ItemList) { all = rows }

  /// Turns the slot of an insertion into the slot of a row, because the source has the item. It stays shown or hidden.
  mutating func makeRow(ofEdit number: UInt, _ item: ItemList.Item) {
    let key = Slot.insertion(number).key
    guard let position = all.remove(rawID: key.span) else { return }
    all.insert(item, at: position)
    if let position = hidden.remove(rawID: key.span) { hidden.insert(item, at: position) }
  }

  /// Changes the id of the item of an insertion. The new id must not be listed.
  mutating func rename(_ old: ItemID, to item: ItemList.Item, inInsertion number: UInt) {
    for place in [Slot.insertion(number), .blockStart(number)] where contains(place) {
      let marker = place.marker(for: item.itemID)
      all.replace(marker)
      hidden.replace(marker)
    }
    if let position = shown.remove(old) { shown.insert(item, at: position) }
  }

  /// Replaces the source's item with the same id, if there is one. The shown items don't change.
  @discardableResult
  mutating func replaceRow(_ item: ItemList.Item) -> Bool { all.replace(item) }

  /// Replaces the source's item with the same id, which must be shown as a row.
  mutating func replaceShownRow(_ item: ItemList.Item) {
    let isAllShown = all.isIdentical(to: shown)
    shown.replace(item)
    if isAllShown { all = shown } else { all.replace(item) }
  }

  /// Moves adjacent slots together, in the same order. `target` is the position, before the move, of the slot that will
  /// follow them.
  mutating func move(_ block: Range<Int>, to target: Int) {
    let isForward = target > block.upperBound
    guard isForward || target < block.lowerBound else { return }
    let passed = isForward ? block.upperBound..<target : target..<block.lowerBound
    // Moving the shorter of the two parts has the same result and costs less.
    let (small, large) = block.count < passed.count ? (block, passed) : (passed, block)
    let position = small.lowerBound < large.lowerBound ? small.lowerBound + large.count : large.lowerBound
    put(take(small), at: position)
  }

  /// A slot that was removed from the order to be put elsewhere, and the item that is shown in it.
  typealias Taken = (place: ItemList.Item, shown: ItemList.Item?)

  /// Removes adjacent slots from the order, to be put elsewhere. Costs O(log n) plus their number.
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

  /// Puts removed slots at a position. Costs O(log n) plus their number.
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

  /// How many items are shown before a position of the order.
  func shownCount(before position: Int) -> Int {
    guard position < all.count else { return shown.count }
    let place = all[position]
    if let hidden = hidden.index(ofRawID: place.rawID.span) { return position - hidden }
    return shown.index(ofRawID: place.shownID.span) ?? 0
  }

  /// Replaces all slots by rows, which are all shown.
  mutating func show(_ rows: ItemList) {
    shown = rows
    join()
  }

  /// Uses the shown items as the list of all slots, because all slots are rows and shown.
  mutating func join() {
    all = shown
    if !hidden.isEmpty { hidden = empty }
  }

  /// Removes all slots. This releases the rows, so that their other owner can change them without a copy.
  mutating func removeAll() { (shown, all, hidden) = (empty, empty, empty) }
}

extension SlotOrder.Slot {
  /// The id of a slot in the lists. A row's slot has the row's id. Other slots have a string with a character that JSON
  /// strings can contain only in escaped form.
  var key: [UInt8] {
    switch self {
    case .row(let id): id.json
    case .insertion(let number): Array("\"\u{1}\(number)\"".utf8)
    case .blockStart(let number): Array("\"\u{1}(\(number)\"".utf8)
    }
  }

  /// The item that represents a slot in the lists. Its bytes are the slot's key, followed by the id of the item that
  /// may be shown there.
  func marker(for id: ItemID) -> ItemList.Item {
    let key = key
    let (length, keyLength) = (UInt32(key.count + id.json.count), UInt32(key.count))
    let slice = RawItems.Slice(start: 0, length: length, idStart: 0, idLength: keyLength)
    return ItemList.Item(RawItems(bytes: key + id.json, slices: [slice]), at: 0)
  }
}

extension ItemList.Item {
  /// The id of the item that may be shown in the slot that this item represents.
  fileprivate var shownID: ArraySlice<UInt8> {
    rawID.dropFirst().first == 1 ? bytes.dropFirst(rawID.count) : rawID
  }
}
