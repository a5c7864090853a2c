internal import ItemList

/// The items of a list that a user has marked.
///
/// A mark goes with its row. Where not all rows are read, one that isn't listed may still be there, and keeps its mark
/// until somebody says that it has gone.
struct ListMarks {
  /// What is marked, with those that an edit has taken out which the source hasn't answered.
  private(set) var marked = MarkSet()
  /// Those that are named and there, as far as anybody knows.
  private(set) var ids: [ItemID] = []
  /// What was marked before a removal of all that, by the edit's number.
  private var waiting: [Int: MarkSet] = [:]
  private var criteria: Criteria
  /// The list as it was last looked at.
  private var last: (items: ItemList, isComplete: Bool)?

  init(_ criteria: Criteria) { self.criteria = criteria }

  private var isIdle: Bool { marked.isEmpty && waiting.isEmpty }

  // MARK: - What the user does

  mutating func set(_ ids: [ItemID], _ isMarked: Bool, in list: PagedState) {
    if isIdle { criteria = list.criteria }
    marked.set(ids, isMarked)
    renew(in: list)
  }

  mutating func setAll(_ isMarked: Bool, in list: PagedState) {
    (marked, waiting, criteria) = (MarkSet(isAll: isMarked), [:], list.criteria)
    renew(in: list)
  }

  /// All that is marked is removed by an edit with a number, and nothing is marked until the source refuses that. What
  /// isn't among the ids is about to be removed already, and waits for its own answer.
  mutating func takeAll(_ ids: [ItemID], for edit: Int, in list: PagedState) {
    let named = Set(ids)
    waiting[edit] = marked
    if marked.isAll {
      marked = MarkSet()
    } else {
      waiting[edit]?.keep(where: named.contains)
      marked.drop(named)
    }
    renew(in: list)
  }

  /// The source has answered an edit.
  mutating func end(_ edit: Int, isRefused: Bool, in list: PagedState) {
    if let set = waiting.removeValue(forKey: edit), isRefused { marked.unite(set) }
    last = nil
    follow(list)
  }

  // MARK: - What becomes of the rows

  /// Rows have gone.
  mutating func forget(_ ids: some Sequence<ItemID>, in list: PagedState) {
    let ids = isIdle ? [] : Set(ids)
    if ids.isEmpty { return }
    marked.drop(ids)
    for edit in waiting.keys { waiting[edit]?.drop(ids) }
    renew(in: list)
  }

  /// Looks at the list after each change.
  mutating func follow(_ list: PagedState) {
    if isIdle { return last = nil }
    if list.criteria != criteria { return setAll(false, in: list) }
    let (items, isComplete) = (list.items, list.window == nil || list.isComplete && list.running == nil)
    if let last, last.items.isIdentical(to: items), last.isComplete == isComplete { return }
    last = (items, isComplete)
    defer { renew(in: list) }
    guard isComplete else { return }
    func isKept(_ id: ItemID) -> Bool { items.contains(id) || list.edited.removes(id) }
    marked.keep(where: isKept)
    for edit in waiting.keys { waiting[edit]?.keep(where: isKept) }
  }

  private mutating func renew(in list: PagedState) {
    func isThere(_ id: ItemID) -> Bool { list.items.contains(id) || !list.edited.removes(id) }
    ids = marked.ids.allSatisfy(isThere) ? marked.ids : marked.ids.filter(isThere)
  }
}
