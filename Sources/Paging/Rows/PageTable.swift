internal import ItemList
internal import WireJSON

/// The pages that a list without positions is made of, each with the key that it came by, so that rows can be let go and
/// read again: in the order of the list, all of whose rows they are.
struct PageTable {
  /// How a page came to the list.
  enum Direction {
    /// As the first of all pages.
    case first
    /// By the key that the page before it has named, or the one after it.
    case after, before
  }

  /// A page, of which all rows are read or none.
  struct Page: Equatable {
    /// The key that it is asked for by; nil for a source's first page.
    fileprivate(set) var key: RawJSON?
    fileprivate let direction: Direction?
    /// How many rows it has now.
    fileprivate(set) var count: Int
    /// How many more it is asked for than it has: a source's page may be short.
    fileprivate var shortfall = 0
    fileprivate(set) var isRead = true

    /// How many rows it is asked for.
    var size: Int { count + shortfall }
    /// Whether it can be asked for again.
    var hasKey: Bool { direction != nil }
  }

  private(set) var pages: [Page] = []

  /// Whether it is known how many rows there are in all pages: not any more once something has happened to rows that may be
  /// among those that aren't read, until all are.
  private(set) var isSure = true

  /// Whether the first page reaches to wherever the list begins, and the last one to wherever it ends.
  var beginsWithFirst: Bool { pages.first.map { $0.direction != .after } ?? true }
  var endsWithLast: Bool { pages.last.map { $0.direction != .before } ?? true }
  /// Whether the first page was let go, and what comes before it is one of its rows; likewise at the end.
  var beginsUnread: Bool { beginsWithFirst && pages.first?.isRead == false }
  var endsUnread: Bool { endsWithLast && pages.last?.isRead == false }

  // MARK: - Where pages are

  /// The positions of each page.
  var ranges: [Range<Int>] {
    var end = 0
    return pages.map { page in
      end += page.count
      return end - page.count..<end
    }
  }

  /// The page at a position.
  func page(at position: Int) -> (page: Page, start: Int)? {
    zip(pages, ranges).first { $1.contains(position) }.map { ($0, $1.lowerBound) }
  }

  /// The pages of some rows that aren't read, which are told by their numbers among all that aren't.
  func unread(_ numbers: Range<Int>) -> [Page] {
    var end = 0
    return pages.filter { page in
      if page.isRead { return false }
      end += page.count
      return (end - page.count..<end).overlaps(numbers)
    }
  }

  /// The pages between the rows at some positions that may have rows, or none.
  func doubtful(within range: Range<Int>) -> [Page] {
    let ranges = ranges
    let found = pages.indices.filter { isDoubtful($0) && range.dropFirst().contains(ranges[$0].lowerBound) }
    return found.map { pages[$0] }
  }

  /// The place of a page that isn't read.
  func unread(_ key: RawJSON?) -> Int? { pages.firstIndex { !$0.isRead && $0.key == key } }

  // MARK: - Rows

  /// A row has been put in, and has a position.
  mutating func insert(at position: Int) {
    let ranges = ranges
    // Between two pages it is one of that which was there first: wherever the key of the other leads, nothing is left out.
    let beside = ranges.indices.filter { pages[$0].isRead && ranges[$0].lowerBound...ranges[$0].upperBound ~= position }
    if let last = beside.last, let index = pages[last].direction == .after ? beside.first : last {
      return pages[index].count += 1
    }
    pages.insert(Page(direction: nil, count: 1), at: ranges.firstIndex { $0.lowerBound >= position } ?? pages.count)
  }

  /// A row that was read has gone from its position.
  mutating func remove(at position: Int) {
    guard let index = ranges.firstIndex(where: { $0.contains(position) }) else { return }
    pages[index].count -= 1
    removeIfEmpty(index)
  }

  /// What isn't there isn't asked for again, but for the page that any other may come before.
  private mutating func removeIfEmpty(_ index: Int) {
    if pages[index].count == 0, pages[index].direction != .first { pages.remove(at: index) }
  }

  /// The keys of the pages beyond the ends, where it is in doubt what is there and there is no page behind that.
  mutating func takeDoubtfulEnds() -> (previous: RawJSON?, next: RawJSON?) {
    var keys: (previous: RawJSON?, next: RawJSON?)
    while let last = pages.indices.last, isDoubtful(last), pages[last].direction == .after {
      keys.next = pages.removeLast().key
    }
    while !pages.isEmpty, isDoubtful(0), pages[0].direction == .before { keys.previous = pages.removeFirst().key }
    return keys
  }

  /// There is one row more in the page at a position.
  mutating func grow(at position: Int) {
    if let index = ranges.firstIndex(where: { $0.contains(position) }) { pages[index].count += 1 }
  }

  /// Something has happened to rows that may be among those that aren't read.
  mutating func doubt() { isSure = pages.allSatisfy(\.isRead) }

  /// Somewhere beside one of the rows that aren't read there is one more: it may be between them and the page behind.
  mutating func doubtEdges() {
    doubt()
    for index in pages.indices.reversed() where pages[index].isRead {
      let (page, step) = (pages[index], pages[index].direction == .before ? 1 : -1)
      guard page.direction == .after || page.direction == .before, pages.indices.contains(index + step),
        !pages[index + step].isRead, pages[index + step].count > 0
      else { continue }
      let edge = Page(key: page.key, direction: page.direction, count: 0, shortfall: page.count, isRead: false)
      pages.insert(edge, at: step < 0 ? index : index + 1)
    }
  }

  /// What isn't read isn't there any more.
  mutating func forgetUnread() { pages.removeAll { !$0.isRead } }

  // MARK: - Pages

  /// A page has come at an end, and has brought so many rows.
  mutating func add(_ page: LoadedPage, count: Int, _ direction: Direction) {
    if count == 0 { return }
    var new = Page(
      key: page.key.map(RawJSON.init(copying:)), direction: page.isAround ? nil : direction, count: count,
      shortfall: max(0, page.size - count))
    // A first page that was loaded once more because it is open stays the first.
    if let last = pages.last, last.count == 0, last.key == page.key {
      new = Page(key: new.key, direction: last.direction, count: count, shortfall: new.shortfall)
      pages.removeLast()
    }
    pages.insert(new, at: direction == .before ? 0 : pages.count)
  }

  /// The rows of a page aren't read any more. It comes again with those that may be between it and the page beside it.
  mutating func evict(_ index: Int) {
    pages[index].isRead = false
    let beside = pages[index].direction == .before ? index + 1 : index - 1
    guard pages.indices.contains(beside), isDoubtful(beside), pages[beside].direction == pages[index].direction else {
      return
    }
    pages[index].key = pages[beside].key
    pages.remove(at: beside)
  }

  /// Whether nobody knows if a page has any rows.
  private func isDoubtful(_ index: Int) -> Bool { !pages[index].isRead && pages[index].count == 0 }

  /// A page that was let go has come again, be it with more rows or fewer. Where it may not reach the page beside it
  /// any more, it is followed by one of which nobody knows whether it has any rows. `isJoined` says whether its first
  /// row and its last one stood beside those that they stand beside now. Gives how many rows are taken for unread
  /// before it, and behind it.
  mutating func fill(
    _ index: Int, with page: LoadedPage, count: Int, isJoined: (before: Bool, after: Bool)
  ) -> (before: Int, after: Int) {
    let (missing, direction) = (pages[index].count - count, pages[index].direction)
    (pages[index].count, pages[index].isRead) = (count, true)
    pages[index].shortfall = max(0, page.size - count)
    if count == 0 {
      removeIfEmpty(index)
      return (0, 0)
    }
    defer { isSure = isSure || pages.allSatisfy(\.isRead) }
    var unread = (before: 0, after: 0)
    if direction != .before, let next = page.next, index + 1 < pages.count, pages[index + 1].direction == .after {
      unread.after = join(next, index + 1, at: index + 1, missing, isJoined.after)
    }
    if direction != .after, let previous = page.previous, index > 0, pages[index - 1].direction == .before {
      unread.before = join(previous, index - 1, at: index, direction == .first ? 0 : missing, isJoined.before)
    }
    // What is missing is asked for by itself.
    if missing > 0, unread != (0, 0) { pages[pages[index].isRead ? index : index + 1].shortfall = 0 }
    return unread
  }

  /// Sees to it that the page beside one is the one that this names. Gives how many rows are taken for unread between
  /// them.
  private mutating func join(
    _ key: RawJSON, _ neighbour: Int, at place: Int, _ missing: Int, _ isJoined: Bool
  ) -> Int {
    if pages[neighbour].key == key { return 0 }
    isSure = false
    let key = RawJSON(copying: key)
    if isJoined || missing <= 0 && !pages[neighbour].isRead {
      pages[neighbour].key = key
      return 0
    }
    var page = Page(key: key, direction: pages[neighbour].direction, count: max(0, missing), isRead: false)
    // If there is nothing between them it brings the page beside it, and no more.
    if missing <= 0 { page.shortfall = pages[neighbour].count }
    pages.insert(page, at: place)
    return page.count
  }
}
