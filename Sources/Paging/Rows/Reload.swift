internal import ItemList
internal import WireJSON

/// The progress of a reload. The list shows its old items until all pages have loaded.
struct Reload {
  /// Whether the list was invalid when the reload began.
  let wasInvalid: Bool
  /// The key of the reload's first page; nil for the list's first page.
  var start: RawJSON?
  /// How many rows to load at most. The reload normally ends at the last row in sight, but that row may be gone.
  var count: Int
  /// The last row in sight.
  let last: ItemID?
  let extent: ReloadExtent
  /// The positions to load, if the source has positions; nil otherwise.
  var window: Range<Int>?
  /// How many of these positions were unloaded after the last page.
  var unloadedCount = Int.max
  /// How many pages have loaded.
  var pages = 0
  /// Whether ``count`` rows have loaded without the last row in sight. New rows may have moved it to the next page, so
  /// one more page is loaded.
  var isFull = false
  /// How many rows have loaded, and how many of the last pages in a row brought none.
  var rowCount = 0
  var emptyPages = 0
  /// Whether the loaded rows are kept separate from the listed ones.
  var isApart = false
}

extension ChangeLog {
  // MARK: - Reloads

  /// Begins a reload at the first row in sight, or at the start of the list. Returns the origin of its first page.
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

  /// Begins a reload of some positions. Returns the origin of its first page.
  mutating func beginReload(_ extent: ReloadExtent, at window: Range<Int>) -> PageOrigin {
    reload = Reload(wasInvalid: isInvalid, count: 0, last: nil, extent: extent, window: window)
    isInvalid = false
    return .reload(extent, at: window.lowerBound)
  }

  /// The origin of the reload's next page. Once all rows that were in sight have loaded, returns nil and ends the
  /// reload.
  mutating func nextReloadPage() -> PageOrigin? {
    guard let reload else { return nil }
    if let window = reload.window {
      let read = withFuturePages
      let unloaded = read.all.unloaded(in: window)
      let count = unloaded.reduce(0) { $0 + $1.count }
      // If a page brought nothing new, no other page is requested.
      guard let first = unloaded.first, count < reload.unloadedCount else {
        stopReload()
        return nil
      }
      self.reload?.unloadedCount = count
      return .reload(
        reload.extent, at: first.lowerBound + read.uncounted(before: read.all.rows(in: 0..<first.lowerBound).upperBound)
      )
    }
    if reload.pages == 1, reload.start != nil, rows.previous == nil {
      // The page has no previous page now, so rows before it could never be reached. The reload starts again at the
      // beginning of the list.
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

  /// Ends the reload and lists the loaded rows.
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
