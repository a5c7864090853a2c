public import Flow
public import ItemList
public import WireJSON

/// The edits of a ``Paged`` that its source is to make: work beside its pages, sent at once, in their order.
///
/// ```swift
/// state.on(input.remove) { $0.articles.remove($1) }
/// state.react(to: \.articles.edits) { edit in
///   switch edit {
///   case .insert(let article, _): api.add(article)
///   case .update(let article): api.change(article)
///   case .remove(let id): api.delete(id)
///   }
/// }
/// ```
/// An edit that was sent goes on when nobody listens to the state any more.
public struct PagedEdits<Item> {
  /// What is edited, and all that is known of it.
  var list: PagedState
  /// How often an edit was made or has ended.
  public private(set) var revision = 0
  private let writes: Set<SourceEdit.Kind>
  private var unanswered = NumberMap<UnansweredEdit>()
  private var last = 0

  init(_ list: PagedState, _ writes: Set<SourceEdit.Kind>) {
    self.list = list
    self.writes = writes
  }

  /// Whether the source makes edits of a kind.
  func makes(_ kind: SourceEdit.Kind) -> Bool { writes.contains(kind) }

  /// Has the source make an edit, if it makes such.
  mutating func make(_ edit: ListEdit?, _ asked: @autoclosure () -> Edit<Item>, _ kind: SourceEdit.Kind) {
    guard let edit else { return }
    guard makes(kind) else { return list.settle(edit) }
    last += 1
    revision += 1
    unanswered[UInt(last)] = UnansweredEdit(made: edit, asked: asked())
  }
}

extension PagedEdits: Work {
  /// Each edit, once.
  public var wanted: WantedNumbers { .eachOnce(through: last) }
  /// The failure that stands, of a load or of an edit.
  public var failure: Failure? { list.failure }
  /// True: an edit was made, whether or not anybody looks at it.
  public var outlivesSubscribers: Bool { true }

  /// What the source is to do.
  public func request(_ number: Int) -> Edit<Item> {
    guard let edit = unanswered[UInt(number)]?.asked as? Edit<Item> else {
      preconditionFailure("edit \(number) is asked for after its end")
    }
    return edit
  }

  /// Takes note that the source has made an edit.
  public mutating func take(_ response: Void, of number: Int) {
    if let edit = remove(number) { list.settle(edit) }
  }

  /// Takes note that the source has refused an edit, or that it was given up: it is undone.
  public mutating func end(_ number: Int, failure: Failure?) {
    if let edit = remove(number) { list.refuse(edit, failure) }
  }

  private mutating func remove(_ number: Int) -> ListEdit? {
    revision += 1
    defer { unanswered[UInt(number)] = nil }
    return unanswered[UInt(number)]?.made
  }
}

/// An edit that the source hasn't answered.
private struct UnansweredEdit {
  let made: ListEdit
  /// An `Edit` of whatever the list holds: a map of generic values can't be compiled for their type.
  let asked: Any
}

/// An edit of a list, as its source is to make it.
public enum Edit<Item> {
  /// An item is new, and stands before the one with an id; first where that is nil.
  case insert(Item, before: ItemID?)
  /// An item is another than the one with its id was.
  case update(Item)
  /// The item with an id is gone.
  case remove(ItemID)
}

extension SourceEdit {
  /// An edit of a list whose items are JSON.
  ///
  /// - Parameter edit: the edit.
  public init(_ edit: Edit<RawJSON>) {
    switch edit {
    case .insert(let item, let next): self = .insert(item, before: next)
    case .update(let item): self = .change(item)
    case .remove(let id): self = .remove(id)
    }
  }
}
