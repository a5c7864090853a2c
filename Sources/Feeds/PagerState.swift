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
  /// The list as it was when it last had items: while it is empty the page stays just as it was.
  private(set) var list = ItemList()
  private(set) var hasMore = false
  /// Whether this step came near enough to the list's end, or tried to go past it: a reason to ask the list for more.
  private(set) var asksForMore = false
  private var isListEmpty = true
  private let prefetch: Int

  init(on id: ItemID, prefetch: Int = 0) { (self.id, self.prefetch) = (id, prefetch) }

  static func apply(_ state: inout PagerState, _ step: Step) {
    let before = state.itemNearEnd
    var pushes = false
    switch step {
    case .listed(let list, let hasMore): state.follow(list, hasMore: hasMore)
    case .turned(.next):
      pushes = !state.isListEmpty && state.index == state.list.count - 1
      state.go(to: state.index + 1)
    case .turned(.previous): state.go(to: state.index - 1)
    case .jumped(let id): if let index = state.list.index(of: id) { state.go(to: index) }
    }
    let arrives = state.itemNearEnd != nil && state.itemNearEnd != before
    state.asksForMore = state.hasMore && (arrives || pushes)
  }

  /// The item that is shown, if it is the list's last or near enough to that.
  private var itemNearEnd: ItemID? { !isListEmpty && index >= list.count - 1 - prefetch ? id : nil }

  /// Finds its item again; if that is gone, whatever has taken its place, or the last.
  private mutating func follow(_ list: ItemList, hasMore: Bool) {
    isListEmpty = list.isEmpty
    if isListEmpty { return }
    (self.list, self.hasMore) = (list, hasMore)
    if let found = list.index(of: id) { index = found } else { go(to: min(index, list.count - 1)) }
  }

  private mutating func go(to index: Int) {
    guard !isListEmpty, list.indices.contains(index), let id = ItemID(list[index].id) else { return }
    (self.index, self.id) = (index, id)
  }
}
