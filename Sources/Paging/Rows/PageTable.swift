internal import ItemList
internal import WireJSON

/// The pages of a list whose source has no positions. Pages can be evicted and loaded again by their keys.
///
/// - The pages are in the order of the list. Together they have all of its rows.
/// - In each page, either all rows are loaded or none.
/// - A *doubtful* page is not loaded and has no known rows: a page may be there, or nothing.
struct PageTable {
  /// How a page was reached.
  enum Direction {
    /// As the first of all pages.
    case first
    /// By a key: `after` by the `next` key of the page before it, `before` by the `previous` key of the page after it.
    case after, before
  }

  /// A page of which either all rows are loaded or none.
  struct Page: Equatable {
    /// The key by which the page is requested; nil for the source's first page.
    fileprivate(set) var key: RawJSON?
    fileprivate let direction: Direction?
    /// The current number of rows.
    fileprivate(set) var count: Int
    /// How many more rows are requested than the page has, because a source may send fewer rows than requested.
    fileprivate var shortfall = 0
    fileprivate(set) var isLoaded = true

    /// The number of rows to request.
    var size: Int { count + shortfall }
    /// Whether the page can be requested again.
    var hasKey: Bool { direction != nil }
  }

  private(set) var pages: [Page] = []

  /// Whether the number of rows in all pages is known. It becomes unknown when unloaded rows may have changed, until
  /// all pages are loaded.
  private(set) var isSure = true

  /// Whether the first page extends to the start of the list; whether the last page extends to its end.
  var beginsWithFirst: Bool { pages.first.map { $0.direction != .after } ?? true }
  var endsWithLast: Bool { pages.last.map { $0.direction != .before } ?? true }
  /// Whether the first (or last) page is evicted and extends to the start (or end) of the list. A new row at that end
  /// then belongs to the evicted page.
  var beginsUnloaded: Bool { beginsWithFirst && pages.first?.isLoaded == false }
  var endsUnloaded: Bool { endsWithLast && pages.last?.isLoaded == false }

  // MARK: - Positions of pages

  /// The positions of each page's rows, in order.
  var ranges: [Range<Int>] {
    var end = 0
    return pages.map { page in
      end += page.count
      return end - page.count..<end
    }
  }

  /// The page that contains a position.
  func page(at position: Int) -> (page: Page, start: Int)? {
    zip(pages, ranges).first { $1.contains(position) }.map { ($0, $1.lowerBound) }
  }

  /// The unloaded pages that contain some unloaded rows. The numbers count only unloaded rows, from 0.
  func unloaded(_ numbers: Range<Int>) -> [Page] {
    var end = 0
    return pages.filter { page in
      if page.isLoaded { return false }
      end += page.count
      return (end - page.count..<end).overlaps(numbers)
    }
  }

  /// The doubtful pages between the rows at some positions.
  func doubtful(within range: Range<Int>) -> [Page] {
    let ranges = ranges
    let found = pages.indices.filter { isDoubtful($0) && range.dropFirst().contains(ranges[$0].lowerBound) }
    return found.map { pages[$0] }
  }

  /// The index of the unloaded page with a key.
  func unloaded(_ key: RawJSON?) -> Int? { pages.firstIndex { !$0.isLoaded && $0.key == key } }

  // MARK: - Rows

  /// Counts a row that was inserted at a position.
  mutating func insert(at position: Int) {
    let ranges = ranges
    // A row between two pages belongs to the page that was loaded first. Then the other page's key can't skip it when
    // that page loads again.
    let beside = ranges.indices.filter {
      pages[$0].isLoaded && ranges[$0].lowerBound...ranges[$0].upperBound ~= position
    }
    if let last = beside.last, let index = pages[last].direction == .after ? beside.first : last {
      return pages[index].count += 1
    }
    pages.insert(Page(direction: nil, count: 1), at: ranges.firstIndex { $0.lowerBound >= position } ?? pages.count)
  }

  /// Removes a loaded row that was at a position.
  mutating func remove(at position: Int) {
    guard let index = ranges.firstIndex(where: { $0.contains(position) }) else { return }
    pages[index].count -= 1
    removeIfEmpty(index)
  }

  /// Removes a page that became empty, because there is nothing to load again. The first page stays, because other
  /// pages may come before it.
  private mutating func removeIfEmpty(_ index: Int) {
    if pages[index].count == 0, pages[index].direction != .first { pages.remove(at: index) }
  }

  /// Removes the doubtful pages at both ends, and returns their keys. These are the keys of the next and the previous
  /// page from now on.
  mutating func takeDoubtfulEnds() -> (previous: RawJSON?, next: RawJSON?) {
    var keys: (previous: RawJSON?, next: RawJSON?)
    while let last = pages.indices.last, isDoubtful(last), pages[last].direction == .after {
      keys.next = pages.removeLast().key
    }
    while !pages.isEmpty, isDoubtful(0), pages[0].direction == .before { keys.previous = pages.removeFirst().key }
    return keys
  }

  /// Counts one more row in the page at a position.
  mutating func grow(at position: Int) {
    if let index = ranges.firstIndex(where: { $0.contains(position) }) { pages[index].count += 1 }
  }

  /// Records that unloaded rows may have changed.
  mutating func doubt() { isSure = pages.allSatisfy(\.isLoaded) }

  /// Records that there is a new row next to an unloaded one. It may be between an unloaded page and the page after it,
  /// so doubtful pages are added there.
  mutating func doubtEdges() {
    doubt()
    for index in pages.indices.reversed() where pages[index].isLoaded {
      let (page, step) = (pages[index], pages[index].direction == .before ? 1 : -1)
      guard page.direction == .after || page.direction == .before, pages.indices.contains(index + step),
        !pages[index + step].isLoaded, pages[index + step].count > 0
      else { continue }
      let edge = Page(key: page.key, direction: page.direction, count: 0, shortfall: page.count, isLoaded: false)
      pages.insert(edge, at: step < 0 ? index : index + 1)
    }
  }

  /// Removes the unloaded pages.
  mutating func forgetUnloaded() { pages.removeAll { !$0.isLoaded } }

  // MARK: - Pages

  /// Adds a page at an end. `count` is the number of rows that it added to the list.
  mutating func add(_ page: LoadedPage, count: Int, _ direction: Direction) {
    if count == 0 { return }
    var new = Page(
      key: page.key.map(RawJSON.init(copying:)), direction: page.isAround ? nil : direction, count: count,
      shortfall: max(0, page.size - count))
    // An open first page that was loaded once more stays the first page.
    if let last = pages.last, last.count == 0, last.key == page.key {
      new = Page(key: new.key, direction: last.direction, count: count, shortfall: new.shortfall)
      pages.removeLast()
    }
    pages.insert(new, at: direction == .before ? 0 : pages.count)
  }

  /// Marks a page as unloaded. A doubtful page next to it becomes part of it: loading the page again loads both.
  mutating func evict(_ index: Int) {
    pages[index].isLoaded = false
    let beside = pages[index].direction == .before ? index + 1 : index - 1
    guard pages.indices.contains(beside), isDoubtful(beside), pages[beside].direction == pages[index].direction else {
      return
    }
    pages[index].key = pages[beside].key
    pages.remove(at: beside)
  }

  /// Whether it is unknown if a page has any rows.
  private func isDoubtful(_ index: Int) -> Bool { !pages[index].isLoaded && pages[index].count == 0 }

  /// Fills in an evicted page that was loaded again, possibly with a different number of rows.
  ///
  /// If the page may no longer reach the page next to it, a page is added between them.
  ///
  /// - Parameters:
  ///   - index: the page's index.
  ///   - page: the loaded page.
  ///   - count: the number of its rows.
  ///   - isJoined: whether the page's first and last row had the same neighbours before as they have now.
  /// - Returns: how many rows before the page and after it count as unloaded.
  mutating func fill(
    _ index: Int, with page: LoadedPage, count: Int, isJoined: (before: Bool, after: Bool)
  ) -> (before: Int, after: Int) {
    let (missing, direction) = (pages[index].count - count, pages[index].direction)
    (pages[index].count, pages[index].isLoaded) = (count, true)
    pages[index].shortfall = max(0, page.size - count)
    if count == 0 {
      removeIfEmpty(index)
      return (0, 0)
    }
    defer { isSure = isSure || pages.allSatisfy(\.isLoaded) }
    var unloaded = (before: 0, after: 0)
    if direction != .before, let next = page.next, index + 1 < pages.count, pages[index + 1].direction == .after {
      unloaded.after = join(next, index + 1, at: index + 1, missing, isJoined.after)
    }
    if direction != .after, let previous = page.previous, index > 0, pages[index - 1].direction == .before {
      unloaded.before = join(previous, index - 1, at: index, direction == .first ? 0 : missing, isJoined.before)
    }
    // The missing rows are a separate page now.
    if missing > 0, unloaded != (0, 0) { pages[pages[index].isLoaded ? index : index + 1].shortfall = 0 }
    return unloaded
  }

  /// Compares a page's key for its neighbour with the key of the page next to it, and corrects the table if they
  /// differ.
  ///
  /// Returns how many rows count as unloaded between the two pages.
  private mutating func join(
    _ key: RawJSON, _ neighbour: Int, at place: Int, _ missing: Int, _ isJoined: Bool
  ) -> Int {
    if pages[neighbour].key == key { return 0 }
    isSure = false
    let key = RawJSON(copying: key)
    if isJoined || missing <= 0 && !pages[neighbour].isLoaded {
      pages[neighbour].key = key
      return 0
    }
    var page = Page(key: key, direction: pages[neighbour].direction, count: max(0, missing), isLoaded: false)
    // If nothing is between the two pages, the request returns just the neighbour's rows.
    if missing <= 0 { page.shortfall = pages[neighbour].count }
    pages.insert(page, at: place)
    return page.count
  }
}
