internal import Flow
internal import ItemList
internal import WireJSON

/// The rows of a source as far as they are loaded, and the rules by which pages and reported changes change them.
///
/// Pending edits aren't part of the rows; committed edits are. ``removed`` and ``inserted`` record those committed
/// edits that the source hasn't reported yet.
///
/// - An item is either in ``all`` or in ``arrivals``, never in both.
/// - If the source may still report a removal, the row stays until then, but hidden. So positions agree with the
///   source's.
struct SourceRows {
  /// The rows, loaded or not, including hidden ones.
  private(set) var all = SparseList() { didSet { version = UniqueNumber.next() } }
  /// The deferred rows, in order: new items that would come before the first row.
  private(set) var arrivals = ItemList()
  /// The number of deferred rows, without the hidden ones.
  var arrivalCount: Int { arrivals.count - (arrivals.isEmpty ? 0 : removed.count { arrivals.contains($0) }) }
  /// Whether a first page has loaded.
  private(set) var hasPage = false
  private(set) var extent = LoadedExtent()
  private var pages = PageKeys()
  /// The pages by whose keys rows are evicted and loaded again; nil if rows aren't evicted, or have positions.
  private(set) var pageTable: PageTable?
  /// The hidden rows: an edit removed them, and the source hasn't reported the removal. Other rows may still be placed
  /// next to them.
  private(set) var removed: Set<ItemID> = [] { didSet { version = UniqueNumber.next() } }
  /// Changes whenever the listed rows change. Equal versions list the same rows.
  private(set) var version = 0
  /// The rows that an edit inserted and that the source hasn't reported. They are never deferred.
  private(set) var inserted: Set<ItemID> = []
  /// The removed rows, which stay out of all pages until a first page loads.
  private(set) var gone: Set<ItemID> = []
  private(set) var options: Options
  /// The user's own rows that come before the deferred rows in the source.
  private var beforeArrivals: Set<ItemID> = []
  /// Whether some rows may be listed at other positions than the source has them.
  var arePositionsDoubtful = false
  /// Whether the source gives the positions of its pages.
  let isPositioned: Bool

  init(_ options: Options, isPositioned: Bool = false) { (self.options, self.isPositioned) = (options, isPositioned) }

  /// The keys of the pages beyond both ends; nil if there is none.
  var next: RawJSON? { extent.next }
  var previous: RawJSON? { extent.previous }
  /// The last page, if more items may follow its items later; nil otherwise.
  var openPage: OpenPage? { extent.openPage }

  var order: [RowOrder] { options.order }

  /// Makes the rows rely on the source's reports from now on, also for removals.
  mutating func follow() {
    options.isFollowed = true
    gone = []
  }

  /// The rows without the hidden ones.
  var listed: SparseList {
    removed.reduce(into: all) { list, id in list.remove(id) }
  }

  /// Whether another version lists and defers the same rows.
  func lists(asMuchAs other: SourceRows) -> Bool {
    all.rows.isIdentical(to: other.all.rows) && removed == other.removed && arrivals.count == other.arrivals.count
  }

  // MARK: - Pages

  /// Replaces all rows by a first page. Returns the positions in the page of items whose id occurred earlier in it.
  mutating func start(with page: LoadedPage) -> [Int] {
    self = SourceRows(options, isPositioned: page.position != nil)
    hasPage = true
    if options.evicts, !isPositioned { pageTable = PageTable() }
    return add(page, atEnd: true, isFirst: true)
  }

  /// Adds a page after the rows or before them. Items that are listed already move to where the page has them. Returns
  /// the positions in the page of items whose id occurred earlier in it.
  mutating func add(_ page: LoadedPage, atEnd: Bool, isFirst: Bool = false) -> [Int] {
    if let position = page.position { return write(page, at: position) }
    if page.isAgain { return fill(with: page) }
    let items = page.items
    // Deferred rows come directly before the first row, so they come after the rows of this page.
    if !isFirst, !atEnd, !items.isEmpty { showArrivals() }
    if !isFirst, !options.keepsPlaces { takeOut(items) }
    let (added, repeated) = { ($0.added, $0.repeated) }(all.add(items, atEnd: atEnd))
    if pageTable == nil, options.isFollowed || options.reloads { pages.add(page, atEnd: atEnd) }
    pageTable?.add(page, count: added, isFirst ? .first : atEnd ? .after : .before)
    if atEnd { extent.end(with: page) }
    if isFirst || !atEnd { extent.previous = isFirst || !page.isLast ? page.previous : nil }
    // If an item occurs twice, its first position counts.
    guard !order.isEmpty, let last = items.slices.indices.last(where: { !repeated.contains($0) }) else {
      return repeated
    }
    let edges = (ItemList.Item(items, at: 0), ItemList.Item(items, at: last))
    extent.add(edges, atEnd: atEnd)
    return repeated
  }

  /// Puts a page that was evicted back at its position.
  private mutating func fill(with page: LoadedPage) -> [Int] {
    let items = page.items
    func position(_ index: Int?) -> Int? {
      index.flatMap { all.rows.index(ofRawID: items.bytes.span.extracting(items.slices[$0].idRange)) }
        .map(all.position(ofRow:))
    }
    let edges = (first: position(items.slices.indices.first), last: position(items.slices.indices.last))
    guard let old = pageTable?.unloaded(page.key), let start = pageTable?.ranges[old].lowerBound else { return [] }
    let isJoined = (before: edges.first.map { $0 < start } ?? false, after: edges.last.map { $0 > start } ?? false)
    takeOut(items)
    guard let index = pageTable?.unloaded(page.key), let range = pageTable?.ranges[index] else { return [] }
    // A doubtful page had no rows until now, so one is added for the page to replace.
    if range.isEmpty { all.addUnloaded(1, before: all.rows(in: 0..<range.lowerBound).upperBound) }
    let merged = all.replaceUnloaded(range.lowerBound..<max(range.lowerBound + 1, range.upperBound), with: items)
    let (isFirst, isLast) = (index == 0, index + 1 == pageTable?.pages.count)
    if isFirst, pageTable?.beginsWithFirst == true { extent.previous = page.isLast ? nil : page.previous }
    if isLast, pageTable?.endsWithLast == true { extent.end(with: page) }
    let unloaded = pageTable?.fill(index, with: page, count: merged.added, isJoined: isJoined) ?? (before: 0, after: 0)
    let rows = all.rows(in: range.lowerBound..<range.lowerBound + merged.added)
    all.addUnloaded(unloaded.after, before: rows.upperBound)
    all.addUnloaded(unloaded.before, before: rows.lowerBound)
    guard let last = items.slices.indices.last, let old = extent.bounds else { return merged.repeated }
    extent.bounds = (
      isFirst ? ItemList.Item(items, at: 0) : old.first, isLast ? ItemList.Item(items, at: last) : old.last
    )
    return merged.repeated
  }

  /// Writes a page at the position that its source gave. The rows around it can be unloaded.
  private mutating func write(_ page: LoadedPage, at position: Int) -> [Int] {
    for slice in page.items.slices { arrivals.remove(rawID: page.items.bytes.span.extracting(slice.idRange)) }
    // The source doesn't count the user's insertions that it hasn't reported.
    let unreported = inserted.compactMap { id in all.rows.index(of: id).map { (item: all.rows[$0], row: $0) } }
      .sorted { $0.row > $1.row }.map {
        (item: $0.item, next: $0.row + 1 < all.rows.count ? all.rows[$0.row + 1] : nil)
      }
    for (item, _) in unreported { all.remove(item.itemID) }
    let repeated = all.write(page.items, at: max(0, position - arrivals.count))
    extent.leastCount = max(extent.leastCount, position + page.items.count)
    for (item, next) in unreported where !all.rows.contains(item.itemID) {
      let row = next.flatMap { all.rows.index(of: $0.itemID) } ?? all.rows.count
      all.insert(item, atRow: row, isAfterUnloaded: true)
    }
    if let total = page.total { count(total, isExact: page.isTotalExact) }
    return repeated
  }

  /// Records the number of rows of a source with positions. An estimate doesn't remove rows that are known to exist.
  mutating func count(_ total: Int, isExact: Bool) {
    guard isPositioned else { return }
    extent.leastCount = isExact ? min(extent.leastCount, total) : extent.leastCount
    let unreported = inserted.count { all.rows.contains($0) }
    let count = max(total, extent.leastCount) - arrivals.count + unreported
    all.resize(to: isExact || all.rows.isEmpty ? count : max(count, all.position(ofRow: all.rows.count - 1) + 1))
  }

  /// Drops the unloaded rows.
  mutating func forgetUnloaded() {
    all = SparseList(all.rows)
    pageTable?.forgetUnloaded()
  }

  /// Evicts loaded rows, except hidden ones. Does nothing while the source hasn't reported one of the user's
  /// insertions.
  mutating func evict(_ range: Range<Int>) {
    guard inserted.isEmpty, !range.isEmpty else { return }
    let hidden = removed.compactMap(all.rows.index).sorted()
    func row(_ place: Int) -> Int { hidden.reduce(place) { row, hidden in hidden <= row ? row + 1 : row } }
    var end = row(range.upperBound - 1) + 1
    for stays in hidden.reversed() where stays < end {
      let start = max(stays + 1, row(range.lowerBound))
      if start < end { all.evict(start..<end) }
      end = min(end, stays)
    }
    let start = row(range.lowerBound)
    if start < end { all.evict(start..<end) }
  }

  /// Evicts a page.
  mutating func evict(page index: Int) {
    guard let range = pageTable?.ranges[index] else { return }
    all.evict(all.rows(in: range))
    pageTable?.evict(index)
  }

  /// The page that holds a loaded row: its key (nil for the first page) and the index of its first row.
  func page(of row: Int) -> (key: RawJSON?, start: Int) {
    guard let pageTable else { return pages.page(of: row, in: all.rows) }
    let found = pageTable.page(at: all.position(ofRow: row))
    return found.map { ($0.page.key, all.rows(in: $0.start..<$0.start + $0.page.count).lowerBound) } ?? (nil, 0)
  }

  // MARK: - Single rows

  /// Inserts an item that isn't listed, at an index among the loaded rows.
  private mutating func putIn(_ item: ItemList.Item, atRow row: Int, isAfterUnloaded: Bool) {
    all.insert(item, atRow: row, isAfterUnloaded: isAfterUnloaded)
    pageTable?.insert(at: all.position(ofRow: row))
  }

  /// Removes a row. Returns its index among the loaded rows; nil if it isn't loaded.
  @discardableResult
  private mutating func takeOut(_ id: Span<UInt8>) -> Int? {
    if pageTable != nil, let row = all.rows.index(ofRawID: id) {
      pageTable?.remove(at: all.position(ofRow: row))
      let ends = pageTable?.takeDoubtfulEnds()
      (extent.previous, extent.next) = (ends?.previous ?? previous, ends?.next ?? next)
    }
    return all.remove(rawID: id)
  }

  /// Removes the items of a page from where they are listed now.
  private mutating func takeOut(_ items: RawItems) {
    for slice in items.slices {
      let id = items.bytes.span.extracting(slice.idRange)
      if takeOut(id) == nil { arrivals.remove(rawID: id) }
    }
  }

  // MARK: - Changes

  /// Applies a change that the source reported.
  ///
  /// - Parameters:
  ///   - change: the change.
  ///   - isHolding: whether an item that would come before the first row is deferred.
  ///   - listsUnloaded: whether to list a changed item that isn't loaded. If a page without a state contains the change,
  ///     the item may be gone by now.
  mutating func apply(_ change: RowChange, isHolding: Bool, listsUnloaded: Bool = true) {
    let isHolding = (inserted.isEmpty || inserted.remove(change.id) == nil) && isHolding
    switch change {
    case .remove(let id, let position):
      extent.leastCount = max(0, extent.leastCount - 1)
      let isLoaded = takeOut(id.json.span) != nil || arrivals.remove(id) != nil
      if removed.remove(id) != nil || isLoaded { break }
      pageTable?.doubt()
      if isPositioned, let position { all.removeUnloaded(at: self.place(ofPosition: position)) }
    case .insert(let item, let place, let position): put(item, at: place, position, isHolding: isHolding, isNew: true)
    case .change(let item):
      let isLoaded = position(of: item.itemID) != nil
      if order.isEmpty || isPositioned && isLoaded && keepsPlace(item) {
        if !all.replace(item) { replaceArrival(item) }
      } else if isPositioned, !isLoaded {
        if listsUnloaded { listUnloaded(item, isHolding: isHolding) }
      } else {
        put(item, at: .ordered, isHolding: isHolding)
      }
    }
    // The hidden row isn't loaded any more, so it needn't be hidden. As an unloaded row, it counts until its removal is
    // reported.
    if !removed.isEmpty, removed.contains(change.id), position(of: change.id) == nil { removed.remove(change.id) }
  }

  /// Makes an edit of the source part of the rows. `isLast` means that the source won't report the edit.
  mutating func commit(_ edit: ListEdit, _ item: ItemList.Item?, isLast: Bool) {
    if options.keepsPlaces { return commit(edit, item) }
    let isListed = all.rows.contains(edit.id)
    switch (edit.change, item) {
    case (.removal, _) where isLast:
      takeOut(edit.id.json.span)
      extent.leastCount = max(0, extent.leastCount - 1)
    case (.removal, _): if isListed || arrivals.contains(edit.id) { removed.insert(edit.id) }
    case (.insertion(_, let place), let item?) where !isListed:
      removed.remove(edit.id)
      if !isLast { inserted.insert(edit.id) }
      arrivals.remove(edit.id)
      if !order.isEmpty, !isPositioned { return put(item, at: .ordered, isHolding: false) }
      let row = place.row(in: all.rows)
      putIn(item, atRow: row ?? 0, isAfterUnloaded: row != nil)
    case (_, let item?):
      removed.remove(edit.id)
      // Unless all rows are loaded, only the source knows where the changed item belongs.
      if isPositioned { all.replace(item) } else if isListed { apply(.change(item), isHolding: false) }
    case (_, nil): break
    }
  }

  /// Makes an edit part of rows that keep their positions.
  private mutating func commit(_ edit: ListEdit, _ item: ItemList.Item?) {
    switch edit.change {
    case .removal:
      all.remove(edit.id)
      gone.insert(edit.id)
    case .insertion(_, let place):
      gone.remove(edit.id)
      if let item, !all.replace(item) {
        all.insert(item, atRow: place.row(in: all.rows) ?? 0, isAfterUnloaded: place == .end)
      }
    case .replacement: if let item { all.replace(item) }
    }
  }

  /// Replaces a row, if it is loaded.
  mutating func replace(_ item: ItemList.Item) { all.replace(item) }

  /// Adds rows at the end. A row whose id is listed already is replaced instead.
  mutating func append(_ items: RawItems) { _ = all.add(items, atEnd: true) }

  /// Lists the deferred rows: before the first row, or where the order puts them.
  mutating func showArrivals() {
    guard let last = arrivals.last else { return }
    let (shown, own) = (arrivals, all.rows.prefix { beforeArrivals.contains($0.itemID) }.count)
    (arrivals, beforeArrivals) = (ItemList(), [])
    if (order.isEmpty || isPositioned) && own > 0 {
      for (number, item) in shown.enumerated() { putIn(item, atRow: own + number, isAfterUnloaded: false) }
    } else if order.isEmpty || isPositioned || all.rows.first.map({ order.places(last, before: $0) }) ?? true {
      all.putFirst(shown)
      for _ in shown { pageTable?.insert(at: 0) }
    } else {
      for item in shown { list(item, atRow: order.position(of: item, in: all.rows)) }
    }
  }

  /// Lists an item where the order puts it. If that is in an evicted page, only an unloaded row is counted there.
  private mutating func list(_ item: ItemList.Item, atRow row: Int) {
    guard let unloaded = unloadedPosition(of: .ordered, before: row, isHolding: false) else {
      return putIn(item, atRow: row, isAfterUnloaded: false)
    }
    pageTable?.grow(at: unloaded)
    all.addUnloaded(1, before: row)
  }

  /// Replaces a deferred item, if it is one.
  private mutating func replaceArrival(_ item: ItemList.Item) { if !arrivals.isEmpty { arrivals.replace(item) } }

  /// Lists an item at a place, or moves it there. An item whose place is outside of the loaded rows is removed.
  private mutating func put(
    _ item: ItemList.Item, at place: RowPlace, _ index: Int? = nil, isHolding: Bool, isNew: Bool = false
  ) {
    let isPlaced = isPositioned && index != nil
    if stays(item, at: place, isPlaced: isPlaced) { return }
    let id = item.rawID.span
    let old = takeOut(id)
    if old == nil {
      arrivals.remove(rawID: id)
      pageTable?.doubt()
    }
    let isBehindArrivals = index.map { $0 > arrivals.count || arrivals.isEmpty && !isHolding } ?? false
    if isPositioned, place == .ordered, !order.isEmpty, let index, isBehindArrivals {
      // The source's position takes precedence over the order, because the order doesn't know the user's own rows.
      return all.insert(item, at: self.place(ofPosition: index))
    }
    // An estimated number of rows doesn't show where the end is.
    let isAtUnknownEnd = isPlaced && place == .end && all.isAfterUnloaded(all.rows.count)
    guard !isAtUnknownEnd, let position = position(of: place, for: item) else {
      guard isPositioned else { return pageTable?.doubtEdges() ?? () }
      // Without a position, the item is somewhere after the loaded rows.
      return index.map { all.insert(item, at: self.place(ofPosition: $0)) }
        ?? all.addUnloaded(1, before: all.rows.count)
    }
    // An item that isn't to be deferred goes after all deferred rows, which count as before the first row.
    let row = isHolding ? position - arrivals.count : max(0, position - arrivals.count)
    if !isHolding, position < arrivals.count { beforeArrivals.insert(item.itemID) }
    let (isFirst, isByOrder) = (place == .ordered && order.isEmpty, place == .ordered && !order.isEmpty)
    if let unloaded = unloadedPosition(of: place, before: row, isHolding: isHolding) {
      // An item that only changed may have been counted there already.
      guard isNew || old != nil else { return }
      pageTable?.grow(at: unloaded)
      return all.addUnloaded(1, before: row)
    }
    if isByOrder, pageTable == nil, all.isAfterUnloaded(row) {
      return index.map { all.insert(item, at: self.place(ofPosition: $0)) } ?? all.addUnloaded(1, before: row)
    }
    // An item that was the first row stays the first row.
    if row > 0 || row == 0 && (all.isEmpty || !isHolding || old == 0 || !isFirst && all.isAfterUnloaded(0)) {
      putIn(item, atRow: row, isAfterUnloaded: place.isBefore)
    } else {
      arrivals.insert(item, at: position)
    }
  }

  /// Lists a changed item that wasn't loaded, if the order puts it before all rows or between two adjacent loaded rows.
  /// If there are several gaps of unloaded rows, it is unknown from which gap the item came.
  private mutating func listUnloaded(_ item: ItemList.Item, isHolding: Bool) {
    let unloaded = all.unloaded(in: 0..<all.count)
    let position = order.position(of: item, in: arrivals, all.rows)
    let row = max(0, position - arrivals.count)
    // The positions of insertions that the source hasn't reported are unknown, so they don't help to place the item.
    guard let last = unloaded.last, !all.isAfterUnloaded(row), inserted.isEmpty else { return }
    all.removeUnloaded(at: last.upperBound - 1)
    if unloaded.count > 1 { arePositionsDoubtful = true }
    guard isHolding, row == 0 else { return all.insert(item, atRow: row, isAfterUnloaded: false) }
    arrivals.insert(item, at: min(position, arrivals.count))
  }

  /// Replaces a row if its place is where it is listed now. Returns whether it did so. `isPlaced` means that the source
  /// gave a position.
  private mutating func stays(_ item: ItemList.Item, at place: RowPlace, isPlaced: Bool) -> Bool {
    let rows = all.rows
    guard let index = rows.index(ofRawID: item.rawID.span) else { return false }
    switch place {
    case .before(let id), .after(let id): guard id.isEqual(to: item.rawID.span) else { return false }
    case .end: return false
    case .ordered:
      guard !order.isEmpty, !isPlaced else { return false }
      if all.isAfterUnloaded(index) || all.isAfterUnloaded(index + 1) {
        // The item may have moved among the unloaded rows.
        if order.places(item, before: rows[index]) || order.places(rows[index], before: item) { return false }
        break
      }
      if index > 0, order.places(item, before: rows[index - 1]) { return false }
      if index + 1 < rows.count, order.places(rows[index + 1], before: item) { return false }
      if index == 0 || index + 1 == rows.count, extent.excludes(item, by: order) { return false }
    }
    all.replace(item)
    return true
  }
}
