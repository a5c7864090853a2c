internal import ItemList

/// The items of a list that the user has marked.
///
/// A mark stays with its item. If not all rows are loaded, an unlisted item may still exist, so it stays marked until
/// the source reports its removal.
struct ListMarks {
  /// The list that the marks follow, at the end of a step.
  struct Subject {
    let items: ItemList
    let criteria: Criteria
    /// Whether unlisted items don't exist any more.
    let isComplete: Bool
    /// Whether all rows are loaded and no load is running. Only then can unlisted items be dropped from the exceptions
    /// of "all but these". Otherwise a page could still bring such an item, and it would become marked.
    let isWhole: Bool
    let edits: PendingEdits
  }

  /// The marked items, including those that an unanswered edit removes.
  private(set) var marked = MarkSet()
  /// The named items of ``marked`` that exist, as far as is known.
  private(set) var ids: [ItemID] = []
  /// The items that the source reported as removed in this step.
  var gone: Set<ItemID> = []
  /// The items of insertions that were refused in this step. They don't exist any more unless they are listed.
  private var refused: Set<ItemID> = []
  /// The marks before each removal of all marked items, by the number of the edit.
  private var waiting: [Int: MarkSet] = [:]
  private var criteria: Criteria
  /// The list of the last update; nil if the marks have changed since.
  private var last: (items: ItemList, isComplete: Bool, isWhole: Bool)?

  init(_ criteria: Criteria) { self.criteria = criteria }

  var isIdle: Bool { marked.isEmpty && waiting.isEmpty }

  // MARK: - Marking

  mutating func set(_ ids: [ItemID], _ isMarked: Bool, _ criteria: Criteria) {
    if isIdle { self.criteria = criteria }
    marked.set(ids, isMarked)
    last = nil
  }

  mutating func setAll(_ isMarked: Bool, _ criteria: Criteria) {
    (marked, waiting, self.criteria, last) = (MarkSet(isAll: isMarked), [:], criteria, nil)
  }

  /// Clears the marks, because an edit removes all marked items. If the source refuses the edit, they are restored.
  ///
  /// Marked items that aren't in `ids` are being removed already by another edit, and keep waiting for its answer.
  mutating func takeAll(_ ids: [ItemID], for edit: Int) {
    let named = Set(ids)
    waiting[edit] = marked
    if marked.isAll {
      marked = MarkSet()
    } else {
      waiting[edit]?.keep(where: named.contains)
      marked.drop(named)
    }
    last = nil
  }

  /// Handles the answer to an edit. A refused edit restores the marks.
  mutating func end(_ edit: Int, isRefused: Bool) {
    if let set = waiting.removeValue(forKey: edit), isRefused { marked.unite(set) }
    last = nil
  }

  /// Changes the id of an item.
  mutating func rename(_ old: ItemID, to new: ItemID) {
    marked.rename(old, to: new)
    for edit in waiting.keys { waiting[edit]?.rename(old, to: new) }
    last = nil
  }

  // MARK: - Changes of the list

  /// Drops items that don't exist any more.
  mutating func forget(_ ids: some Sequence<ItemID>) { if !isIdle { drop(Set(ids)) } }

  /// Drops items at the end of the step unless they are listed then.
  mutating func forgetUnlisted(_ ids: [ItemID]) { if !isIdle { refused.formUnion(ids) } }

  private mutating func drop(_ ids: Set<ItemID>) {
    if ids.isEmpty { return }
    marked.drop(ids)
    for edit in waiting.keys { waiting[edit]?.drop(ids) }
    last = nil
  }

  /// Ends a step in which nothing is marked.
  mutating func rest() { (ids, gone, refused, last) = ([], [], [], nil) }

  /// Updates the marks from the list at the end of a step.
  mutating func follow(_ list: Subject) {
    defer { (gone, refused) = ([], []) }
    if !gone.isEmpty { drop(gone) }
    if !refused.isEmpty { drop(refused.filter { !list.items.contains($0) }) }
    if list.criteria != criteria { setAll(false, list.criteria) }
    let isLoaded = (list.isComplete, list.isWhole)
    if let last, last.items.isIdentical(to: list.items), (last.isComplete, last.isWhole) == isLoaded { return }
    last = (list.items, list.isComplete, list.isWhole)
    func isKept(_ id: ItemID) -> Bool { list.items.contains(id) || list.edits.removes(id) }
    func keepListed(in set: inout MarkSet) {
      if set.isAll ? list.isWhole : list.isComplete { set.keep(where: isKept) }
    }
    keepListed(in: &marked)
    for (edit, var set) in waiting {
      keepListed(in: &set)
      waiting[edit] = set
    }
    func isThere(_ id: ItemID) -> Bool { list.items.contains(id) || !list.edits.removes(id) }
    ids = marked.ids.allSatisfy(isThere) ? marked.ids : marked.ids.filter(isThere)
  }
}
