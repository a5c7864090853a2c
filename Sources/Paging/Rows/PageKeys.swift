internal import ItemList
internal import WireJSON

/// The keys of a list's pages, and the id of each page's first row, so that the pages can be loaded again. Both are
/// stored compactly as bytes.
struct PageKeys {
  /// `after` has the first loaded page and all pages after it. `before` has the pages before that, in reverse order.
  private var (after, before) = (Marks(), Marks())

  /// Marks in blocks of 128. Adding a mark to a list that has copies copies one block only.
  private struct Marks {
    private static let marksABlock = 128
    private var full: [Block] = []
    private var last = Block()

    var count: Int { full.count * Marks.marksABlock + last.count }

    mutating func add(_ key: RawJSON?, _ id: ArraySlice<UInt8>) {
      last.add(key, id)
      guard last.count == Marks.marksABlock else { return }
      full.append(last.trimmed)
      last = Block()
    }

    func mark(_ index: Int) -> (key: RawJSON?, id: ItemID?) {
      let (block, offset) = index.quotientAndRemainder(dividingBy: Marks.marksABlock)
      return (block < full.count ? full[block] : last).mark(offset)
    }
  }

  private struct Block {
    private var bytes: [UInt8] = []
    /// For each page, two offsets in `bytes`: the end of its key, and the end of its id.
    private var ends: [UInt32] = []

    var count: Int { ends.count / 2 }
    /// A copy without spare capacity.
    var trimmed: Block { Block(bytes: Array(bytes[...]), ends: Array(ends[...])) }

    mutating func add(_ key: RawJSON?, _ id: ArraySlice<UInt8>) {
      if let key { bytes += key.bytes }
      ends.append(UInt32(bytes.count))
      bytes += id
      ends.append(UInt32(bytes.count))
    }

    func mark(_ index: Int) -> (key: RawJSON?, id: ItemID?) {
      let start = index == 0 ? 0 : Int(ends[2 * index - 1])
      let (middle, end) = (Int(ends[2 * index]), Int(ends[2 * index + 1]))
      let key = Array(bytes[start..<middle])
      return (key.isEmpty ? nil : RawJSON(trusting: key), ItemID(trusting: bytes[middle..<end]))
    }
  }

  /// Records a page, unless it is empty.
  mutating func add(_ page: LoadedPage, atEnd: Bool) {
    guard let first = page.items.slices.first else { return }
    let id = page.items.bytes[first.idRange]
    if atEnd { after.add(page.key, id) } else { before.add(page.key, id) }
  }

  /// The page that holds a row: its key (nil for the first page) and the position of its first row.
  func page(of row: Int, in rows: ItemList) -> (key: RawJSON?, start: Int) {
    var found: (key: RawJSON?, start: Int)?
    let (count, countBefore) = (after.count, before.count)
    // Searches backward for the first page that begins at the row or before it.
    for index in (0..<count + countBefore).reversed() {
      let mark = index < countBefore ? before.mark(countBefore - 1 - index) : after.mark(index - countBefore)
      if let start = mark.id.flatMap(rows.index) {
        found = (mark.key, start)
        if start <= row { break }
      }
    }
    return found ?? (nil, 0)
  }
}
