internal import Flow
internal import ItemList
internal import WireJSON

/// The rows that a source has, as far as they are loaded, and how its changes and pages change them. Nothing is known here
/// of edits that the source hasn't made, but for removals: those lie above.
struct SourceRows {
  /// The rows, those among them that are hidden.
  private(set) var all = SparseList() { didSet { version = UniqueNumber.next() } }
  /// What would stand before the first row and is held back, in its order.
  private(set) var arrivals = ItemList()
  /// How many rows are held back, without those that the source has removed and not said yet.
  var arrivalCount: Int { arrivals.count - (arrivals.isEmpty ? 0 : removed.count { arrivals.contains($0) }) }
  /// Whether a first page has come.
  private(set) var hasPage = false
  private(set) var extent = LoadedExtent()
  private var pages = PageMarks()
  /// The pages by whose keys rows can be let go and read again; nil where none are, or they are by their positions.
  private(set) var pageTable: PageTable?
  /// The rows whose removal the source has made and not said yet: they are places for others, and not listed.
  private(set) var removed: Set<ItemID> = [] { didSet { version = UniqueNumber.next() } }
  /// Changes whenever other rows are listed. Versions that are equal list the same.
  private(set) var version = 0
  /// The rows that the user has put in, the source has taken and not said yet: those aren't held back.
  private(set) var inserted: Set<ItemID> = []
  /// The rows that were removed, and stay out of pages until a first page comes.
  private(set) var gone: Set<ItemID> = []
  private(set) var options: Options
  /// The user's own rows that stand before the deferred ones in the source.
  private var beforeArrivals: Set<ItemID> = []
  /// Whether rows may be listed a position away from where the source has them.
  var arePositionsDoubtful = false
  /// Whether the source says at which position a page stands.
  let isPositioned: Bool

  init(_ options: Options, isPositioned: Bool = false) { (self.options, self.isPositioned) = (options, isPositioned) }

  /// The keys of the pages beyond both ends; nil if there is none.
  var next: RawJSON? { extent.next }
  var previous: RawJSON? { extent.previous }
  /// The last page, if more items may follow its own later.
  var openPage: OpenPage? { extent.openPage }

  var order: [RowOrder] { options.order }

  /// The source reports its changes from now on, removals among them.
  mutating func follow() {
    options.isFollowed = true
    gone = []
  }

  /// The rows that are listed.
  var listed: SparseList {
    removed.reduce(into: all) { list, id in list.remove(id) }
  }

  /// Whether the same rows are listed and deferred as in another version.
  func lists(asMuchAs other: SourceRows) -> Bool {
    all.rows.isIdentical(to: other.all.rows) && removed == other.removed && arrivals.count == other.arrivals.count
  }

  // MARK: - Pages

  /// Takes a first page. Gives the positions in it of items whose id stood in it before.
  mutating func start(with page: LoadedPage) -> [Int] {
    self = SourceRows(options, isPositioned: page.position != nil)
    hasPage = true
    if options.evicts, !isPositioned { pageTable = PageTable() }
    return add(page, atEnd: true, isFirst: true)
  }

  /// Takes a page after the rows or before them. Its places win over where its rows were listed.
  mutating func add(_ page: LoadedPage, atEnd: Bool, isFirst: Bool = false) -> [Int] {
    if let position = page.position { return write(page, at: position) }
    if page.isAgain { return fill(with: page) }
    let items = page.items
    // What is held back stands before the rows, and so behind those of this page.
    if !isFirst, !atEnd, !items.isEmpty { showArrivals() }
    if !isFirst, !options.keepsPlaces { takeOut(items) }
    let (added, repeated) = { ($0.added, $0.repeated) }(all.add(items, atEnd: atEnd))
    if pageTable == nil, options.isFollowed || options.reloads { pages.add(page, atEnd: atEnd) }
    pageTable?.add(page, count: added, isFirst ? .first : atEnd ? .after : .before)
    if atEnd { extent.end(with: page) }
    if isFirst || !atEnd { extent.previous = isFirst || !page.isLast ? page.previous : nil }
    // An item that comes again stands where it stood first.
    guard !order.isEmpty, let last = items.slices.indices.last(where: { !repeated.contains($0) }) else {
      return repeated
    }
    let edges = (ItemList.Item(items, at: 0), ItemList.Item(items, at: last))
    extent.add(edges, atEnd: atEnd)
    return repeated
  }

  /// Takes a page that was let go.
  private mutating func fill(with page: LoadedPage) -> [Int] {
    let items = page.items
    func position(_ index: Int?) -> Int? {
      index.flatMap { all.rows.index(ofRawID: items.bytes.span.extracting(items.slices[$0].idRange)) }
        .map(all.position(ofRow:))
    }
    let edges = (first: position(items.slices.indices.first), last: position(items.slices.indices.last))
    guard let old = pageTable?.unread(page.key), let start = pageTable?.ranges[old].lowerBound else { return [] }
    let isJoined = (before: edges.first.map { $0 < start } ?? false, after: edges.last.map { $0 > start } ?? false)
    takeOut(items)
    guard let index = pageTable?.unread(page.key), let range = pageTable?.ranges[index] else { return [] }
    // Where nothing was known to be there is room for it now.
    if range.isEmpty { all.addUnread(1, before: all.rows(in: 0..<range.lowerBound).upperBound) }
    let merged = all.replaceUnread(range.lowerBound..<max(range.lowerBound + 1, range.upperBound), with: items)
    let (isFirst, isLast) = (index == 0, index + 1 == pageTable?.pages.count)
    if isFirst, pageTable?.beginsWithFirst == true { extent.previous = page.isLast ? nil : page.previous }
    if isLast, pageTable?.endsWithLast == true { extent.end(with: page) }
    let unread = pageTable?.fill(index, with: page, count: merged.added, isJoined: isJoined) ?? (before: 0, after: 0)
    let rows = all.rows(in: range.lowerBound..<range.lowerBound + merged.added)
    all.addUnread(unread.after, before: rows.upperBound)
    all.addUnread(unread.before, before: rows.lowerBound)
    guard let last = items.slices.indices.last, let old = extent.bounds else { return merged.repeated }
    extent.bounds = (
      isFirst ? ItemList.Item(items, at: 0) : old.first, isLast ? ItemList.Item(items, at: last) : old.last
    )
    return merged.repeated
  }

  /// Takes a page whose source knows where it stands, and what lies unread around it.
  private mutating func write(_ page: LoadedPage, at position: Int) -> [Int] {
    for slice in page.items.slices { arrivals.remove(rawID: page.items.bytes.span.extracting(slice.idRange)) }
    // The source doesn't count what it has taken and not reported.
    let unreported = inserted.compactMap { id in all.rows.index(of: id).map { (item: all.rows[$0], row: $0) } }
      .sorted { $0.row > $1.row }.map {
        (item: $0.item, next: $0.row + 1 < all.rows.count ? all.rows[$0.row + 1] : nil)
      }
    for (item, _) in unreported { all.remove(item.itemID) }
    let repeated = all.write(page.items, at: max(0, position - arrivals.count))
    extent.leastCount = max(extent.leastCount, position + page.items.count)
    for (item, next) in unreported where !all.rows.contains(item.itemID) {
      let row = next.flatMap { all.rows.index(of: $0.itemID) } ?? all.rows.count
      all.insert(item, atRow: row, isAfterUnread: true)
    }
    if let total = page.total { count(total, isExact: page.isTotalExact) }
    return repeated
  }

  /// Takes note of how many rows the source has, where some aren't read. An estimate takes away none that are known to be
  /// there.
  mutating func count(_ total: Int, isExact: Bool) {
    guard isPositioned else { return }
    extent.leastCount = isExact ? min(extent.leastCount, total) : extent.leastCount
    let unreported = inserted.count { all.rows.contains($0) }
    let count = max(total, extent.leastCount) - arrivals.count + unreported
    all.resize(to: isExact || all.rows.isEmpty ? count : max(count, all.position(ofRow: all.rows.count - 1) + 1))
  }

  /// Forgets what isn't read.
  mutating func forgetUnread() {
    all = SparseList(all.rows)
    pageTable?.forgetUnread()
  }

  /// Lets rows go that are read, unless the source is yet to report some that it has taken. Those that are hidden stay.
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

  /// Lets a page go.
  mutating func evict(page index: Int) {
    guard let range = pageTable?.ranges[index] else { return }
    all.evict(all.rows(in: range))
    pageTable?.evict(index)
  }

  /// The key of the page that holds a row that is read, nil for the first page, and the place of its first row.
  func page(of row: Int) -> (key: RawJSON?, start: Int) {
    guard let pageTable else { return pages.page(of: row, in: all.rows) }
    let found = pageTable.page(at: all.position(ofRow: row))
    return found.map { ($0.page.key, all.rows(in: $0.start..<$0.start + $0.page.count).lowerBound) } ?? (nil, 0)
  }

  // MARK: - Single rows

  /// Puts an item in whose id isn't read, at a place among the rows that are.
  private mutating func putIn(_ item: ItemList.Item, atRow row: Int, isAfterUnread: Bool) {
    all.insert(item, atRow: row, isAfterUnread: isAfterUnread)
    pageTable?.insert(at: all.position(ofRow: row))
  }

  /// Takes a row out. Gives its place among those that are read; nil where it isn't.
  @discardableResult
  private mutating func takeOut(_ id: Span<UInt8>) -> Int? {
    if pageTable != nil, let row = all.rows.index(ofRawID: id) {
      pageTable?.remove(at: all.position(ofRow: row))
      let ends = pageTable?.takeDoubtfulEnds()
      (extent.previous, extent.next) = (ends?.previous ?? previous, ends?.next ?? next)
    }
    return all.remove(rawID: id)
  }

  /// Takes out what is to stand elsewhere.
  private mutating func takeOut(_ items: RawItems) {
    for slice in items.slices {
      let id = items.bytes.span.extracting(slice.idRange)
      if takeOut(id) == nil { arrivals.remove(rawID: id) }
    }
  }

  // MARK: - Changes

  /// Carries a source's change out. `isHolding` has what would come to stand before the first row held back; `listsUnread` lists
  /// a changed row that isn't read, which may be gone if a page without a state knows of the change.
  mutating func apply(_ change: RowChange, isHolding: Bool, listsUnread: Bool = true) {
    let isHolding = (inserted.isEmpty || inserted.remove(change.id) == nil) && isHolding
    switch change {
    case .remove(let id, let position):
      extent.leastCount = max(0, extent.leastCount - 1)
      let isRead = takeOut(id.json.span) != nil || arrivals.remove(id) != nil
      if removed.remove(id) != nil || isRead { break }
      pageTable?.doubt()
      if isPositioned, let position { all.removeUnread(at: self.place(ofPosition: position)) }
    case .insert(let item, let place, let position): put(item, at: place, position, isHolding: isHolding, isNew: true)
    case .change(let item):
      let isRead = position(of: item.itemID) != nil
      if order.isEmpty || isPositioned && isRead && keepsPlace(item) {
        if !all.replace(item) { replaceArrival(item) }
      } else if isPositioned, !isRead {
        if listsUnread { listUnread(item, isHolding: isHolding) }
      } else {
        put(item, at: .ordered, isHolding: isHolding)
      }
    }
    // A row that became an unread one is counted until its removal is reported.
    if !removed.isEmpty, removed.contains(change.id), position(of: change.id) == nil { removed.remove(change.id) }
  }

  /// Carries an edit out that the source has made; in the last one the source has reported nothing of it, and won't.
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
      putIn(item, atRow: row ?? 0, isAfterUnread: row != nil)
    case (_, let item?):
      removed.remove(edit.id)
      // Where not all is read, only the source knows where it goes.
      if isPositioned { all.replace(item) } else if isListed { apply(.change(item), isHolding: false) }
    case (_, nil): break
    }
  }

  /// Carries an edit out in rows that keep their places.
  private mutating func commit(_ edit: ListEdit, _ item: ItemList.Item?) {
    switch edit.change {
    case .removal:
      all.remove(edit.id)
      gone.insert(edit.id)
    case .insertion(_, let place):
      gone.remove(edit.id)
      if let item, !all.replace(item) {
        all.insert(item, atRow: place.row(in: all.rows) ?? 0, isAfterUnread: place == .end)
      }
    case .replacement: if let item { all.replace(item) }
    }
  }

  /// Replaces a row, if it is read.
  mutating func replace(_ item: ItemList.Item) { all.replace(item) }

  /// Adds rows at the end, or replaces those with their ids.
  mutating func append(_ items: RawItems) { _ = all.add(items, atEnd: true) }

  /// Lists the deferred rows: before the first row, or where the order puts them.
  mutating func showArrivals() {
    guard let last = arrivals.last else { return }
    let (shown, own) = (arrivals, all.rows.prefix { beforeArrivals.contains($0.itemID) }.count)
    (arrivals, beforeArrivals) = (ItemList(), [])
    if (order.isEmpty || isPositioned) && own > 0 {
      for (number, item) in shown.enumerated() { putIn(item, atRow: own + number, isAfterUnread: false) }
    } else if order.isEmpty || isPositioned || all.rows.first.map({ order.places(last, before: $0) }) ?? true {
      all.putFirst(shown)
      for _ in shown { pageTable?.insert(at: 0) }
    } else {
      for item in shown { list(item, atRow: order.position(of: item, in: all.rows)) }
    }
  }

  /// Lists an item where the order puts it; as an unread row if that lies in an evicted page.
  private mutating func list(_ item: ItemList.Item, atRow row: Int) {
    guard let unread = unreadPosition(of: .ordered, before: row, isHolding: false) else {
      return putIn(item, atRow: row, isAfterUnread: false)
    }
    pageTable?.grow(at: unread)
    all.addUnread(1, before: row)
  }

  /// `ItemList.replace` where an item may be among neither.
  private mutating func replaceArrival(_ item: ItemList.Item) { if !arrivals.isEmpty { arrivals.replace(item) } }

  /// Lists an item at a place, or moves it there; takes it out where that lies outside of what is loaded.
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
      // The source knows better than an order by what the user has made of rows.
      return all.insert(item, at: self.place(ofPosition: index))
    }
    // An estimate of how many rows there are doesn't say where the end is.
    let isAtUnknownEnd = isPlaced && place == .end && all.isAfterUnread(all.rows.count)
    guard !isAtUnknownEnd, let position = position(of: place, for: item) else {
      guard isPositioned else { return pageTable?.doubtEdges() ?? () }
      // Where nobody says, it stands somewhere behind what is read.
      return index.map { all.insert(item, at: self.place(ofPosition: $0)) } ?? all.addUnread(1, before: all.rows.count)
    }
    // Only what is to be deferred goes among the deferred rows, which count as before the first one.
    let row = isHolding ? position - arrivals.count : max(0, position - arrivals.count)
    if !isHolding, position < arrivals.count { beforeArrivals.insert(item.itemID) }
    let (isFirst, isByOrder) = (place == .ordered && order.isEmpty, place == .ordered && !order.isEmpty)
    if let unread = unreadPosition(of: place, before: row, isHolding: isHolding) {
      // What has only changed may have been there before.
      guard isNew || old != nil else { return }
      pageTable?.grow(at: unread)
      return all.addUnread(1, before: row)
    }
    if isByOrder, pageTable == nil, all.isAfterUnread(row) {
      return index.map { all.insert(item, at: self.place(ofPosition: $0)) } ?? all.addUnread(1, before: row)
    }
    // One that was the first row stays it.
    if row > 0 || row == 0 && (all.isEmpty || !isHolding || old == 0 || !isFirst && all.isAfterUnread(0)) {
      putIn(item, atRow: row, isAfterUnread: place.isBefore)
    } else {
      arrivals.insert(item, at: position)
    }
  }

  /// Lists an unread row that changed if the order puts it before all rows, or between two read rows that stand next to each
  /// other. Which of the unread rows it was is unknown if they lie apart.
  private mutating func listUnread(_ item: ItemList.Item, isHolding: Bool) {
    let unread = all.unread(in: 0..<all.count)
    let position = order.position(of: item, in: arrivals, all.rows)
    let row = max(0, position - arrivals.count)
    // Where rows stand that the source hasn't reported is unknown, so they say nothing of the place.
    guard let last = unread.last, !all.isAfterUnread(row), inserted.isEmpty else { return }
    all.removeUnread(at: last.upperBound - 1)
    if unread.count > 1 { arePositionsDoubtful = true }
    guard isHolding, row == 0 else { return all.insert(item, atRow: row, isAfterUnread: false) }
    arrivals.insert(item, at: min(position, arrivals.count))
  }

  /// Puts an item in the place of the one with its id, if it is to stand just there. `isPlaced` says whether its position
  /// is known.
  private mutating func stays(_ item: ItemList.Item, at place: RowPlace, isPlaced: Bool) -> Bool {
    let rows = all.rows
    guard let index = rows.index(ofRawID: item.rawID.span) else { return false }
    switch place {
    case .before(let id), .after(let id): guard id.isEqual(to: item.rawID.span) else { return false }
    case .end: return false
    case .ordered:
      guard !order.isEmpty, !isPlaced else { return false }
      if all.isAfterUnread(index) || all.isAfterUnread(index + 1) {
        // It may have moved among what isn't read.
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
