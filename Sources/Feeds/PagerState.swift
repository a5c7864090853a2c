internal import Nagare

/// Where a pager stands: on an item, not on an index.
struct PagerState {
  /// What happens to a pager.
  enum Step {
    /// The list has changed, or is first seen.
    case listed(ItemList, hasMore: Bool)
    /// The page is to be turned.
    case turned(to: Swipe.Direction)
    /// The page of that item is to be shown.
    case jumped(to: ItemID)
  }

  private(set) var id: ItemID
  private(set) var index = 0
  /// The list as it was when it last had items.
  private(set) var list = ItemList()
  private(set) var hasMore = false
  /// Whether this step came to the list's end, or tried to go past it: a reason to ask the list for more.
  private(set) var asksForMore = false
  private var wasLast = false
  private var isListEmpty = true

  init(on id: ItemID) { self.id = id }

  var isLast: Bool { !list.isEmpty && index == list.count - 1 }

  static func apply(_ state: inout PagerState, _ step: Step) {
    let before = state.id
    var triesToPass = false
    switch step {
    case .listed(let list, let hasMore):
      // While the list is empty the pager keeps its page as it is.
      state.isListEmpty = list.isEmpty
      guard !list.isEmpty else {
        state.wasLast = false
        state.asksForMore = false
        return
      }
      state.hasMore = hasMore
      state.list = list
      state.stay()
    case .turned(.next):
      triesToPass = state.isLast && !state.isListEmpty
      state.go(to: state.index + 1)
    case .turned(.previous):
      state.go(to: state.index - 1)
    case .jumped(let id):
      if let index = state.list.index(of: id) { state.go(to: index) }
    }
    let arrives = state.isLast && (!state.wasLast || state.id != before)
    state.wasLast = state.isLast
    state.asksForMore = state.hasMore && (arrives || triesToPass)
  }

  /// Finds its item again; if that is gone, whatever has taken its place, or the last.
  private mutating func stay() {
    if let found = list.index(of: id) { index = found } else { go(to: min(index, list.count - 1)) }
  }

  private mutating func go(to index: Int) {
    guard !isListEmpty, index >= 0, index < list.count else { return }
    self.index = index
    if let id = ItemID(list[index].id) { self.id = id }
  }
}
