internal import Flow
internal import ItemList
internal import Paging
internal import Reactor
internal import WireJSON

/// The look-up of an item by its id: the first item that has it, in a page of its own.
///
/// Where ids are offsets, a number leads to the record that starts there. All other ids, and numbers that records have as
/// ids of their own, are searched from the start of the file.
final class FileLookup: FileWork {
  private let item: ItemID
  private let needsOrdinal: Bool
  private let file: PagedFile
  private let id: String
  private var load: FileLoad?
  /// Where the load begins, if it only reads the line at an offset.
  private var offset: Int?
  /// Where the item was found.
  private(set) var found: FileLoad.Found?

  /// Prepares a look-up. If `needsOrdinal` is true, ``found`` has the number of items before the item, for which they
  /// are read.
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

  /// Looks for the item from the start of the file on.
  private func search() {
    (offset, load) = (nil, FileLoad(1, ItemTest(id: item.raw, of: id), from: 0, of: file, id: id))
  }
}

extension PagedFile {
  /// How many bytes of white space before a record are looked at.
  private static var mostIndentation: Int { 64 }

  /// Whether a line starts at an offset, or only a little white space lies between its start and the offset.
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
