/// A list with edits as a person would explain it: rows and edits in two arrays, and what is listed made of them each time.
///
/// An item is a letter, its id, and a number, which of its versions it is: `a0`.
struct EditModel {
  enum Kind: Equatable { case insert(before: Character?), remove, change }

  struct Edit {
    let number: Int
    let kind: Kind
    let id: Character
    var item = ""
    var query = ""
    /// Whether the source has taken it, and all pages that come know of it.
    var isSettled = false
    /// Whether the source was never asked.
    var isOwn = false
  }

  enum Place { case first, after, before }

  private(set) var rows: [String] = []
  /// The edits that aren't a part of the rows.
  private(set) var edits: [Edit] = []
  /// The edits that wait for a first page.
  private(set) var waiting: [Edit] = []
  /// What the source has let go, though pages may hold it.
  private(set) var gone: Set<Character> = []
  /// The edits that the source has taken while a load runs.
  private var taken: [Int] = []
  private(set) var load: Place?
  private(set) var query = ""
  private let keeps: Bool
  /// How many edits were made.
  private(set) var count = 0

  init(keeps: Bool) { self.keeps = keeps }

  /// The rows with the edits carried out on them, in the order in which they were made.
  var listed: [String] { edits.reduce(into: rows, Self.carryOut) }

  private static func carryOut(_ rows: inout [String], _ edit: Edit) {
    let index = rows.firstIndex { $0.first == edit.id }
    switch edit.kind {
    case .remove: if let index { rows.remove(at: index) }
    case .change: if let index { rows[index] = edit.item }
    case .insert(let next):
      if let index {
        rows[index] = edit.item
      } else {
        rows.insert(edit.item, at: rows.firstIndex { next != nil && $0.first == next } ?? 0)
      }
    }
  }

  // MARK: Edits

  func lists(_ id: Character) -> Bool { listed.contains { $0.first == id } }

  mutating func insert(_ item: String, before next: Character?) {
    guard let id = item.first else { return }
    count += 1
    edits.append(Edit(number: count, kind: .insert(before: next), id: id, item: item, query: query))
  }

  mutating func remove(_ id: Character) {
    guard lists(id) else { return }
    count += 1
    edits.append(Edit(number: count, kind: .remove, id: id))
  }

  mutating func change(_ item: String) {
    guard let id = item.first, lists(id) else { return }
    guard let last = edits.lastIndex(where: { $0.id == id }) else {
      if let index = rows.firstIndex(where: { $0.first == id }) { rows[index] = item }
      return
    }
    if edits[last].isOwn { return edits[last].item = item }
    count += 1
    edits.append(Edit(number: count, kind: .change, id: id, item: item, isSettled: true, isOwn: true))
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
    if let index = edits.firstIndex(where: { $0.number == number }) { edits[index].isSettled = true }
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

  /// The page is asked for once more, and knows of what the source has taken.
  mutating func askAgain() {
    for number in taken { settle(number) }
    taken = []
  }

  mutating func come(_ page: [String]) {
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
      var new: [String] = []
      for item in page {
        merge(item) { model in
          if model.rows.contains(where: { $0.first == item.first }) {
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

  private mutating func merge(_ item: String, asRow: (inout EditModel) -> Void) {
    let known = edits.lastIndex { $0.id == item.first && $0.isSettled && !$0.isOwn }
    if known.map({ edits[$0].kind == .remove }) ?? item.first.map(gone.contains) ?? false { return }
    if let known {
      edits[known].item = item
      if let row = rows.firstIndex(where: { $0.first == item.first }) { rows[row] = item }
    } else {
      asRow(&self)
    }
    edits.removeAll { $0.isOwn && $0.id == item.first }
  }
}

/// Puts an item in the place of the one with its id, or at the end.
private func put(_ item: String, into rows: inout [String]) {
  if let index = rows.firstIndex(where: { $0.first == item.first }) { rows[index] = item } else { rows.append(item) }
}
