internal import ItemList
internal import WireJSON

/// A list that is read again: items stay until all of it has come.
struct Reload {
  /// Whether it had to be read again, whoever has asked for that.
  let wasInvalid: Bool
  /// The key of the page that it begins with; nil for the first.
  var start: RawJSON?
  /// How many rows are read at most, for the last row in sight may have gone.
  var count: Int
  let last: ItemID?
  let mostPages: Int
  /// The positions that are read, where the source has them.
  var window: Range<Int>?
  /// How many of these aren't read.
  var unreadCount = Int.max
  /// How many pages have come.
  var pages = 0
  /// Whether what has come is apart from what is listed.
  var isApart = false
}

extension ChangeLog {
  // MARK: - Reloads

  /// Begins to read the list again: where the rows were that were in sight, or from the start. Gives the place of the
  /// page to begin with.
  mutating func beginReload(
    _ seen: (first: ItemID, last: ItemID)?, mostPages: Int, isFromStart: Bool
  ) -> PageOrigin {
    let list = shown.all.rows
    let first = seen.flatMap { list.index(of: $0.first) } ?? 0
    let last = max(first, seen.flatMap { list.index(of: $0.last) } ?? 0)
    var page: (key: RawJSON?, start: Int) = (nil, 0)
    if !isFromStart, seen != nil { page = shown.page(of: first) }
    reload = Reload(
      wasInvalid: isInvalid, start: page.key, count: seen != nil ? last + 1 - page.start : isFromStart ? list.count : 0,
      last: seen?.last,
      mostPages: mostPages)
    isInvalid = false
    return .reload(page.key)
  }

  /// Begins to read the rows at some positions again. Gives the place of the page to begin with.
  mutating func beginReload(at window: Range<Int>) -> PageOrigin {
    reload = Reload(wasInvalid: isInvalid, count: 0, last: nil, mostPages: .max, window: window)
    isInvalid = false
    return .reload(nil, at: window.lowerBound)
  }

  /// What a list that is read again asks for next; nil once all that was in sight is there.
  mutating func readOn() -> PageOrigin? {
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
        nil, at: first.lowerBound + read.uncounted(before: read.all.rows(in: 0..<first.lowerBound).upperBound))
    }
    if reload.pages == 1, reload.start != nil, rows.previous == nil {
      // What lies before couldn't be reached: all is read, from the start.
      self.reload?.start = nil
      self.reload?.pages = 0
      let last = reload.last.flatMap(shown.all.rows.index) ?? 0
      self.reload?.count = last + 1
      return .reload(nil)
    }
    let read = withFuturePages
    let isCovered = reload.last.map(read.all.rows.contains) ?? false || read.all.rows.count >= reload.count
    if !isCovered, reload.pages < reload.mostPages, let next = read.next { return .reload(next) }
    stopReload()
    return nil
  }

  /// What was read is what is listed.
  private mutating func stopReload() {
    reload = nil
    show()
  }

  /// What is listed stays: it isn't read to the end.
  mutating func breakOffReload() {
    guard let reload else { return }
    self.reload = nil
    if reload.isApart { restoreShown() }
    isInvalid = isInvalid || reload.wasInvalid
  }
}
