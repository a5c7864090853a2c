internal import Flow
internal import ItemList
internal import Paging
internal import Reactor
internal import WireJSON

/// Looks up an item by its id: the first item with that id. The result is a page with only this item.
///
/// If ids are offsets, a number leads to the record at that offset. Other ids, and numbers that are a record's own id,
/// are searched from the start of the file.
final class FileLookup: FileWork {
  private let item: ItemID
  private let needsOrdinal: Bool
  private let file: PagedFile
  private let id: String
  private var load: FileLoad?
  /// The offset of the line to load; nil if the load searches the file.
  private var offset: Int?
  /// The place of the item, once it was found.
  private(set) var found: FileLoad.Found?

  /// Prepares a look-up. If `needsOrdinal` is true, the items before the item are read, too, and ``found`` contains
  /// their number.
  init(_ item: ItemID, needsOrdinal: Bool, in file: PagedFile, id: String) {
    (self.item, self.needsOrdinal, self.file, self.id) = (item, needsOrdinal, file, id)
  }

  var progress: LoadProgress { load?.progress ?? LoadProgress(done: 0, of: file.status.size, unit: "bytes") }

  func advance(_ work: inout Int) throws(LoadFailure) -> Page<RawJSON>? {
    repeat {
      guard let load else {
        try begin(&work)
        continue
      }
      guard let page = try load.advance(&work) else { return nil }
      guard let offset else {
        found = load.found
        return page
      }
      if !page.items.isEmpty, page.items.id(at: 0) == item {
        found = FileLoad.Found(ordinal: 0, offset: offset)
        return page
      }
      search()
    } while work > 0
    return nil
  }

  private func begin(_ work: inout Int) throws(LoadFailure) {
    guard let layout = try file.prepare(&work) else { return }
    guard file.idsAreOffsets, layout == .lines, !needsOrdinal, let offset = item.raw.int,
      try file.isLineStart(offset: offset)
    else { return search() }
    (self.offset, load) = (offset, FileLoad(lineAt: offset, of: file, id: id))
  }

  /// Searches for the item from the start of the file.
  private func search() {
    (offset, load) = (nil, FileLoad(1, ItemTest(id: item.raw, of: id), from: 0, of: file, id: id))
  }
}

extension PagedFile {
  /// The maximum number of white-space bytes before a record that are checked.
  private static var mostIndentation: Int { 64 }

  /// Whether a line starts at an offset. Only a little white space may come between them.
  fileprivate func isLineStart(offset: Int) throws(LoadFailure) -> Bool {
    let first = lines.marks[0].offset
    guard first..<max(first, min(end, status.size)) ~= offset else { return false }
    let before = try bytes(in: max(first, offset - PagedFile.mostIndentation)..<offset)
    guard let last = before.last(where: { $0 == UInt8(ascii: "\n") || !$0.isWhiteSpace }) else {
      return offset - before.count == first
    }
    return last == UInt8(ascii: "\n")
  }
}
