internal import ItemList
internal import WireJSON

/// How a list reloads. Its items stay until all pages have come.
struct Reload {
  /// Whether the list was invalid when the reload began.
  let wasInvalid: Bool
  /// The key of the page that it begins with; nil for the first.
  var start: RawJSON?
  /// The most rows that are loaded, because the last row in sight may be gone.
  var count: Int
  /// The last row in sight.
  let last: ItemID?
  let extent: ReloadExtent
  /// The positions that are loaded, if the source has positions.
  var window: Range<Int>?
  /// How many of these are unread.
  var unreadCount = Int.max
  /// How many pages have come.
  var pages = 0
  /// Whether as many rows have come as there were, without the last one in sight. Rows that came in before it may have moved it
  /// to the next page, so that one is loaded as well.
  var isFull = false
  /// How many rows have come, and how many of the last pages brought none.
  var rowCount = 0
  var emptyPages = 0
  /// Whether the loaded rows are kept apart from the listed ones.
  var isApart = false
}

extension ChangeLog {
  // MARK: - Reloads

  /// Begins a reload at the rows that were in sight, or at the start. Returns the origin of the first page.
  mutating func beginReload(
    _ extent: ReloadExtent, _ seen: (first: ItemID, last: ItemID)?, isFromStart: Bool
  ) -> PageOrigin {
    let list = shown.all.rows
    let first = seen.flatMap { list.index(of: $0.first) } ?? 0
    let last = max(first, seen.flatMap { list.index(of: $0.last) } ?? 0)
    var page: (key: RawJSON?, start: Int) = (nil, 0)
    if !isFromStart, seen != nil { page = shown.page(of: first) }
    reload = Reload(
      wasInvalid: isInvalid, start: page.key, count: seen != nil ? last + 1 - page.start : isFromStart ? list.count : 0,
      last: seen?.last, extent: extent)
    isInvalid = false
    return .reload(extent, page.key)
  }

  /// Begins a reload of some positions. Returns the origin of the first page.
  mutating func beginReload(_ extent: ReloadExtent, at window: Range<Int>) -> PageOrigin {
    reload = Reload(wasInvalid: isInvalid, count: 0, last: nil, extent: extent, window: window)
    isInvalid = false
    return .reload(extent, at: window.lowerBound)
  }

  /// The origin of the reload's next page; nil once all rows that were in sight have come, which ends the reload.
  mutating func nextReloadPage() -> PageOrigin? {
    guard let reload else { return nil }
    if let window = reload.window {
      let read = withFuturePages
      let unread = read.all.unread(in: window)
      let count = unread.reduce(0) { $0 + $1.count }
      // A page that brings nothing isn't followed by another.
      guard let first = unread.first, count < reload.unreadCount else {
        stopReload()
        return nil
      }
      self.reload?.unreadCount = count
      return .reload(
        reload.extent, at: first.lowerBound + read.uncounted(before: read.all.rows(in: 0..<first.lowerBound).upperBound)
      )
    }
    if reload.pages == 1, reload.start != nil, rows.previous == nil {
      // Rows before these couldn't be reached: the reload begins again at the start.
      self.reload?.start = nil
      self.reload?.pages = 0
      let last = reload.last.flatMap(shown.all.rows.index) ?? 0
      self.reload?.count = last + 1
      return .reload(reload.extent)
    }
    let read = withFuturePages
    let count = read.all.rows.count
    let isLastRead = reload.last.map(read.all.rows.contains)
    let isCovered = isLastRead == true || count >= reload.count && (isLastRead == nil || reload.isFull)
    self.reload?.isFull = count >= reload.count
    self.reload?.emptyPages = count > reload.rowCount ? 0 : reload.emptyPages + 1
    self.reload?.rowCount = count
    if !isCovered, reload.emptyPages < Loads.mostEmptyPages, reload.pages < reload.extent.mostPages,
      let next = read.next
    {
      return .reload(reload.extent, next)
    }
    stopReload()
    return nil
  }

  /// Lists the loaded rows.
  private mutating func stopReload() {
    reload = nil
    show()
  }

  /// Ends a reload early. The listed rows stay.
  mutating func breakOffReload() {
    guard let reload else { return }
    self.reload = nil
    if reload.isApart { restoreShown() }
    isInvalid = isInvalid || reload.wasInvalid
  }
}
