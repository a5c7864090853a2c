internal import ItemList

/// The items of a list that a user has marked.
///
/// A mark stays with its item. If not all rows are read, an item that isn't listed may still be there: it keeps its mark
/// until the source reports its removal.
struct ListMarks {
  /// The list that the marks follow, as it is at the end of a step.
  struct Subject {
    let items: ItemList
    let criteria: Criteria
    /// Whether an item that isn't listed is gone.
    let isComplete: Bool
    /// Whether all rows are read, and none are being read. Only then is an item that isn't listed no longer an exception
    /// of "all but these": a page may still bring it, and it would come marked.
    let isWhole: Bool
    let edits: PendingEdits
  }

  /// The marked items, including those that an unanswered edit removes.
  private(set) var marked = MarkSet()
  /// The named ones among them that are there, as far as is known.
  private(set) var ids: [ItemID] = []
  /// The items that the source removed in this step.
  var gone: Set<ItemID> = []
  /// The items of refused insertions in this step, which are gone unless they are listed.
  private var refused: Set<ItemID> = []
  /// What was marked before a removal of all marked items, by the edit's number.
  private var waiting: [Int: MarkSet] = [:]
  private var criteria: Criteria
  /// The list as the marks followed it last; nil if they changed since.
  private var last: (items: ItemList, isComplete: Bool, isWhole: Bool)?

  init(_ criteria: Criteria) { self.criteria = criteria }

  var isIdle: Bool { marked.isEmpty && waiting.isEmpty }

  // MARK: - What the user does

  mutating func set(_ ids: [ItemID], _ isMarked: Bool, _ criteria: Criteria) {
    if isIdle { self.criteria = criteria }
    marked.set(ids, isMarked)
    last = nil
  }

  mutating func setAll(_ isMarked: Bool, _ criteria: Criteria) {
    (marked, waiting, self.criteria, last) = (MarkSet(isAll: isMarked), [:], criteria, nil)
  }

  /// All marked items are removed by an edit. Nothing is marked unless the source refuses it. Items that aren't among the
  /// ids are being removed already, and wait for their own answer.
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

  /// The source has answered an edit.
  mutating func end(_ edit: Int, isRefused: Bool) {
    if let set = waiting.removeValue(forKey: edit), isRefused { marked.unite(set) }
    last = nil
  }

  /// An item has another id.
  mutating func rename(_ old: ItemID, to new: ItemID) {
    marked.rename(old, to: new)
    for edit in waiting.keys { waiting[edit]?.rename(old, to: new) }
    last = nil
  }

  // MARK: - What becomes of the rows

  /// Items are gone.
  mutating func forget(_ ids: some Sequence<ItemID>) { if !isIdle { drop(Set(ids)) } }

  /// Items are gone unless they are listed.
  mutating func forgetUnlisted(_ ids: [ItemID]) { if !isIdle { refused.formUnion(ids) } }

  private mutating func drop(_ ids: Set<ItemID>) {
    if ids.isEmpty { return }
    marked.drop(ids)
    for edit in waiting.keys { waiting[edit]?.drop(ids) }
    last = nil
  }

  /// Ends a step in which nothing is marked.
  mutating func rest() { (ids, gone, refused, last) = ([], [], [], nil) }

  /// Follows the list at the end of a step.
  mutating func follow(_ list: Subject) {
    defer { (gone, refused) = ([], []) }
    if !gone.isEmpty { drop(gone) }
    if !refused.isEmpty { drop(refused.filter { !list.items.contains($0) }) }
    if list.criteria != criteria { setAll(false, list.criteria) }
    let isRead = (list.isComplete, list.isWhole)
    if let last, last.items.isIdentical(to: list.items), (last.isComplete, last.isWhole) == isRead { return }
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
