/// A simple model of a list with edits: rows and edits in two arrays, from which the listed items are computed each
/// time.
///
/// It is computed half a million times. So items aren't strings, and ids are Unicode scalars, because comparing two
/// `Character` values is slow.
struct EditModel {
  typealias ID = Unicode.Scalar

  /// An item: a letter as its id, and a version number.
  struct Item: Equatable, CustomStringConvertible {
    let id: ID
    let version: Int

    var description: String { "\(id)\(version)" }
  }

  enum Kind: Equatable { case insert(before: ID?), remove, update, change }

  struct Edit {
    let number: Int
    let kind: Kind
    let id: ID
    var item: Item?
    var query = ""
    /// Whether the source has made the edit, and all pages from now on include it.
    var isSettled = false
    /// Whether a page that holds the item undoes the edit.
    var isOwn = false

    mutating func settle() {
      isSettled = true
      isOwn = kind == .update
    }
  }

  enum Place { case first, after, before }

  private(set) var rows: [Item] = []
  /// The edits that aren't part of the rows.
  private(set) var edits: [Edit] = []
  /// The edits that wait for a first page.
  private(set) var waiting: [Edit] = []
  /// The items that the source has removed, although pages may still hold them.
  private(set) var gone: Set<ID> = []
  /// The edits that the source has made while a load runs.
  private var taken: [Int] = []
  private(set) var load: Place?
  private(set) var query = ""
  private let keeps: Bool
  /// The number of edits so far.
  private(set) var count = 0

  init(keeps: Bool) { self.keeps = keeps }

  /// The rows after all edits, in the order in which they were made.
  var listed: [Item] { edits.reduce(into: rows, Self.carryOut) }

  private static func carryOut(_ rows: inout [Item], _ edit: Edit) {
    let index = rows.firstIndex(of: edit.id)
    guard let item = edit.item else {
      if let index { rows.remove(at: index) }
      return
    }
    if let index {
      rows[index] = item
    } else if case .insert(let next) = edit.kind {
      rows.insert(item, at: next.flatMap { rows.firstIndex(of: $0) } ?? 0)
    }
  }

  // MARK: Edits

  func lists(_ id: ID) -> Bool { listed.firstIndex(of: id) != nil }

  mutating func insert(_ item: Item, before next: ID?) {
    count += 1
    edits.append(Edit(number: count, kind: .insert(before: next), id: item.id, item: item, query: query))
  }

  mutating func remove(_ id: ID) {
    guard lists(id) else { return }
    count += 1
    edits.append(Edit(number: count, kind: .remove, id: id))
  }

  mutating func update(_ item: Item) {
    guard lists(item.id) else { return }
    count += 1
    edits.append(Edit(number: count, kind: .update, id: item.id, item: item))
  }

  mutating func change(_ item: Item) {
    guard lists(item.id) else { return }
    guard let last = edits.lastIndex(where: { $0.id == item.id }) else {
      if let index = rows.firstIndex(of: item.id) { rows[index] = item }
      return
    }
    if edits[last].isOwn { return edits[last].item = item }
    count += 1
    edits.append(Edit(number: count, kind: .change, id: item.id, item: item, isSettled: true, isOwn: true))
  }

  mutating func refuse(_ number: Int) {
    waiting.removeAll { $0.number == number }
    edits.removeAll { $0.number == number }
    foldSettled()
  }

  mutating func take(_ number: Int) {
    if load != nil { taken.append(number) } else { settle(number) }
  }

  private mutating func settle(_ number: Int) {
    waiting.removeAll { $0.number == number }
    if let index = edits.firstIndex(where: { $0.number == number }) { edits[index].settle() }
    foldSettled()
  }

  private mutating func foldSettled() {
    while let edit = edits.first, edit.isSettled {
      edits.removeFirst()
      Self.carryOut(&rows, edit)
      if edit.kind == .remove { gone.insert(edit.id) }
      if case .insert = edit.kind { gone.remove(edit.id) }
    }
  }

  // MARK: Pages

  mutating func begin(_ place: Place, query: String? = nil) {
    end()
    load = place
    self.query = query ?? self.query
    guard place == .first, !keeps else { return }
    waiting = (waiting + edits.filter { !$0.isSettled }).sorted { $0.number < $1.number }
    (rows, edits, gone) = ([], [], [])
  }

  mutating func end() {
    load = nil
    askAgain()
  }

  /// The page is requested again, and includes the edits that the source has made.
  mutating func askAgain() {
    for number in taken { settle(number) }
    taken = []
  }

  mutating func come(_ page: [Item]) {
    switch load {
    case .first:
      let unsettled = (waiting + edits.filter { !$0.isSettled }).sorted { $0.number < $1.number }
      let belongs = { [query] (edit: Edit) in
        if case .insert = edit.kind { edit.query == query } else { true }
      }
      (rows, gone) = ([], [])
      (edits, waiting) = (unsettled.filter(belongs), unsettled.filter { !belongs($0) })
      for item in page { put(item, into: &rows) }
    case .after: for item in page { merge(item) { put(item, into: &$0.rows) } }
    case .before:
      var new: [Item] = []
      for item in page {
        merge(item) { model in
          if model.rows.firstIndex(of: item.id) != nil {
            put(item, into: &model.rows)
          } else {
            put(item, into: &new)
          }
        }
      }
      rows = new + rows
    case nil: break
    }
    end()
  }

  private mutating func merge(_ item: Item, asRow: (inout EditModel) -> Void) {
    let known = edits.lastIndex { $0.id == item.id && $0.isSettled && !$0.isOwn }
    if known.map({ edits[$0].kind == .remove }) ?? gone.contains(item.id) { return }
    if let known {
      edits[known].item = item
      if let row = rows.firstIndex(of: item.id) { rows[row] = item }
    } else {
      asRow(&self)
    }
    edits.removeAll { $0.isOwn && $0.id == item.id }
  }
}

/// Replaces the item with the same id, or adds the item at the end.
private func put(_ item: EditModel.Item, into rows: inout [EditModel.Item]) {
  if let index = rows.firstIndex(of: item.id) { rows[index] = item } else { rows.append(item) }
}

extension [EditModel.Item] {
  /// The index of the item with an id.
  func firstIndex(of id: EditModel.ID) -> Int? {
    for index in indices where self[index].id == id { return index }
    return nil
  }
}
