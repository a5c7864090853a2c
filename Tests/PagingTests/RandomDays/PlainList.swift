import Paging

/// The expected rows of a list without a window whose source doesn't report changes. They are computed from everything
/// that has happened.
///
/// The pages form `rows`. The unanswered edits are applied to them in the order in which they were made.
struct PlainList {
  struct Edit {
    enum Kind {
      case insert(SourceRow, before: Int?)
      case change(SourceRow)
      case remove(Int)
    }

    let number: Int
    var kind: Kind
    let criteria: Criteria
    /// When the source made the edit; nil before that.
    var made: Int?
    /// Whether the list makes the edit alone. A page that holds the item replaces it, as does a first page.
    var isOwn = false

    var isOwnChange: Bool { if case .change = kind { isOwn } else { false } }

    var row: Int {
      switch kind {
      case .insert(let row, _), .change(let row): row.number
      case .remove(let number): number
      }
    }

    func apply(to rows: inout [SourceRow]) {
      switch kind {
      case .insert(let row, let next):
        if let index = rows.firstIndex(where: { $0.number == row.number }) {
          rows[index] = row
        } else {
          rows.insert(row, at: next.flatMap { next in rows.firstIndex { $0.number == next } } ?? 0)
        }
      case .change(let row):
        if let index = rows.firstIndex(where: { $0.number == row.number }) { rows[index] = row }
      case .remove(let number): rows.removeAll { $0.number == number }
      }
    }
  }

  /// The position of a page's rows among all rows.
  enum Place { case first, next, previous }

  private var rows: [SourceRow] = []
  private var edits: [Edit] = []
  /// When the page was requested that is loading; nil if none is. It doesn't contain edits that are made later, so
  /// these are applied to it too.
  private var awaited: Int?
  /// When the source made a removal, by the number of the row. The row stays out of pages until a later first page.
  private var removed: [Int: Int] = [:]
  /// Whether a refresh has emptied the list and its page hasn't arrived.
  private(set) var isEmptied = false
  var criteria = Criteria()

  var shown: [SourceRow] {
    if isEmptied { return [] }
    var rows = rows
    for edit in edits {
      if case .insert = edit.kind, edit.criteria != criteria { continue }
      edit.apply(to: &rows)
    }
    return rows
  }

  mutating func empty() { (rows, isEmptied) = ([], true) }

  /// Makes an edit. An edit that isn't sent to the source counts as made at once.
  mutating func make(_ kind: Edit.Kind, number: Int, made: Int?, isOwn: Bool = false) {
    edits.append(Edit(number: number, kind: kind, criteria: criteria, made: made, isOwn: isOwn))
    commit()
  }

  mutating func answer(_ number: Int, made: Int?) {
    guard let index = edits.firstIndex(where: { $0.number == number && $0.made == nil }) else { return }
    if let made { edits[index].made = made } else { edits.remove(at: index) }
    commit()
  }

  /// A load begins, or its page is requested again. The page contains all edits that were made by now.
  mutating func beginLoad(at time: Int) {
    endLoad()
    awaited = time
  }

  mutating func endLoad() {
    awaited = nil
    commit()
  }

  private mutating func commit() {
    while let edit = edits.first, let made = edit.made, made <= awaited ?? .max {
      edits.removeFirst()
      if case .insert = edit.kind, edit.criteria != criteria { continue }
      edit.apply(to: &rows)
      if case .remove(let number) = edit.kind { removed[number] = made } else { removed[edit.row] = nil }
    }
  }

  /// Receives the pages of a reload.
  mutating func take(_ pages: [(rows: [SourceRow], asked: Int)]) {
    let asked = pages[0].asked
    removed = removed.filter { $0.value > asked }
    edits.removeAll { edit in edit.isOwnChange || edit.made.map { $0 <= asked } ?? false }
    (rows, isEmptied) = ([], false)
    for page in pages {
      for row in page.rows where removed[row.number] == nil {
        if let index = rows.firstIndex(where: { $0.number == row.number }) {
          rows[index] = row
        } else {
          rows.append(row)
        }
      }
    }
    endLoad()
  }

  /// Receives a page that was requested at a given time.
  mutating func take(_ page: [SourceRow], _ place: Place, asked: Int) {
    let isKnown = { (edit: Edit) in edit.isOwnChange || edit.made.map { $0 <= asked } ?? false }
    defer { endLoad() }
    if place == .first {
      removed = removed.filter { $0.value > asked }
      edits.removeAll(where: isKnown)
      (rows, isEmptied) = (page.filter { removed[$0.number] == nil }, false)
      return
    }
    let page = page.filter { removed[$0.number] == nil }
    for row in page {
      for index in edits.indices where isKnown(edits[index]) && edits[index].row == row.number {
        if case .insert(_, let next) = edits[index].kind { edits[index].kind = .insert(row, before: next) }
        if case .change = edits[index].kind { edits[index].kind = .change(row) }
      }
    }
    let listed = Set(rows.map(\.number))
    for row in page {
      if let index = rows.firstIndex(where: { $0.number == row.number }) { rows[index] = row }
    }
    // An inserted item stays where the edit put it, also while an older edit is unanswered.
    let inserted = Set(
      edits.filter { if case .insert = $0.kind { isKnown($0) && $0.criteria == criteria } else { false } }.map(\.row))
    let others = page.filter { !listed.contains($0.number) && !inserted.contains($0.number) }
    rows = place == .next ? rows + others : others + rows
  }
}
