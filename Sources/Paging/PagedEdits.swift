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
///   case .marked(let items, let set): api.edit(items, set)
///   }
/// }
/// ```
/// An edit that was sent goes on when nobody listens to the state any more.
public struct PagedEdits<Item> {
  /// What is edited, and all that is known of it.
  var list: PagedState {
    didSet {
      guard marks != nil else { return }
      if let gone = list.gone, !gone.isEmpty { marks?.value.forget(gone, in: list) }
      list.gone = []
      marks?.value.follow(list)
    }
  }
  /// What the user has marked; nil where nothing can be.
  var marks: Indirect<ListMarks>?
  /// Another one after each edit that is made or has ended.
  public private(set) var revision = 0
  private let writes: Set<SourceEdit.Kind>
  private var unanswered = NumberMap<UnansweredEdit>()
  private var sum = RunSum()
  /// Those of the unanswered edits that are for all that is looked for.
  private var edited = NumberMap<EditOfAll>()

  init(_ list: PagedState, _ writes: Set<SourceEdit.Kind>, hasMarks: Bool) {
    self.list = list
    self.writes = writes
    marks = hasMarks ? Indirect(ListMarks(list.criteria)) : nil
  }

  /// Whether the source makes edits of a kind.
  func makes(_ kind: SourceEdit.Kind) -> Bool { writes.contains(kind) }

  /// Whether the source makes one edit of a kind of many items.
  func makesAtOnce(_ kind: SourceEdit.Kind) -> Bool { makes(kind) && makes(.marked) }

  /// Has the source make an edit, if it makes such.
  mutating func make(_ edits: [ListEdit], _ asked: @autoclosure () -> Edit<Item>, _ kind: SourceEdit.Kind) {
    if edits.isEmpty { return }
    guard makes(kind) else { return settle(edits, isMade: false) }
    send(edits, asked())
  }

  /// Has the source make an edit, and gives that a number.
  @discardableResult
  private mutating func send(_ edits: [ListEdit], _ asked: Edit<Item>) -> Int {
    revision = UniqueNumber.next()
    unanswered[UInt(revision)] = UnansweredEdit(made: edits, asked: asked)
    sum.add(revision)
    list.forgetRefusal()
    return revision
  }

  /// Edits are made by whom they are the matter of: the source, or the list itself.
  private mutating func settle(_ edits: [ListEdit], isMade: Bool) {
    list.settle(edits, isMade: isMade)
    marks?.value.forget(edits.lazy.filter(\.isRemoval).map(\.id), in: list)
  }
}

extension PagedEdits: Work {
  /// All that aren't answered.
  public var wanted: WantedNumbers { .each(sum: sum) }
  /// The failure that stands, of a load or of an edit.
  public var failure: Failure? { list.failure }
  /// True: an edit was made, whether or not anybody looks at it.
  public var outlivesSubscribers: Bool { true }

  /// What the source is to do.
  public func request(_ number: Int) -> Edit<Item>? { unanswered[UInt(number)]?.asked as? Edit<Item> }

  /// The edit that was made next after another one, of those that aren't answered.
  public func wantedNumber(after number: Int) -> Int? { unanswered.first(after: UInt(number)).map { Int($0.number) } }

  /// Takes note that the source has made an edit.
  public mutating func take(_ response: Void, of number: Int) {
    guard let edits = remove(number) else { return }
    settle(edits, isMade: true)
    list.endClearing(number, isRefused: false)
    marks?.value.end(number, isRefused: false, in: list)
  }

  /// Takes note that the source has refused an edit, or that it was given up: it is undone.
  public mutating func end(_ number: Int, failure: Failure?) {
    guard let edits = remove(number) else { return }
    list.endClearing(number, isRefused: true)
    list.refuse(edits, failure)
    marks?.value.end(number, isRefused: true, in: list)
    marks?.value.forget(edits.filter { $0.isInsertion && !list.items.contains($0.id) }.map(\.id), in: list)
  }

  private mutating func remove(_ number: Int) -> [ListEdit]? {
    guard let edits = unanswered[UInt(number)]?.made else { return nil }
    (unanswered[UInt(number)], edited[UInt(number)]) = (nil, nil)
    sum.remove(number)
    revision = UniqueNumber.next()
    return edits
  }
}

// MARK: - Edits of all that is marked

extension PagedEdits {
  /// Takes all out that is marked. Throws if not all of it is read, and the source takes no edits of many.
  mutating func removeMarked() throws(Refusal) {
    let rows = try markedRows(.remove)
    let ids = rows.map(\.itemID)
    guard makesAtOnce(.remove) else {
      // One by one, each comes back by itself.
      if marks?.value.marked.isAll == true {
        marks?.value.setAll(false, in: list)
        marks?.value.set(ids, true, in: list)
      }
      guard makes(.remove) else { return settle(list.remove(ids), isMade: false) }
      for id in ids { make(list.remove([id]), .remove(id), .remove) }
      return
    }
    guard let items = markedItems else { return }
    let number = send(list.remove(ids), .marked(items, set: nil))
    marks?.value.takeAll(items.ids, for: number, in: list)
    if items.all == nil { return }
    edited[UInt(number)] = EditOfAll(items, set: nil)
    list.beginClearing(number)
  }

  /// The items that are marked, as a source is asked; nil where there are none.
  private var markedItems: MarkedItems? {
    guard let marks = marks?.value else { return nil }
    let ids = marks.ids
    if marks.marked.isAll { return MarkedItems(ids: ids, butOf: list.criteria) }
    return ids.isEmpty ? nil : MarkedItems(ids: ids)
  }

  /// The rows that are marked, as far as they are read.
  func markedRows(_ kind: SourceEdit.Kind) throws(Refusal) -> [ItemList.Item] {
    guard let marks = marks?.value else { return [] }
    let rows: [ItemList.Item]
    let areAllRead: Bool
    if marks.marked.isAll {
      rows = list.items.filter { marks.marked.contains($0.itemID) }
      areAllRead = list.isComplete
    } else {
      rows = marks.ids.compactMap(list.items.item)
      areAllRead = rows.count == marks.ids.count
    }
    if areAllRead || makesAtOnce(kind) { return rows }
    throw Refusal(
      "marked",
      mustBe: "left out until all that is marked is read, as the source has no \"marked\" among its \"writes\"")
  }

  /// Takes the running load's page, on whose rows edits of all that is looked for are carried out, too. Gives what was
  /// wrong with some of its records.
  mutating func take(_ page: Page<Item>) -> [LoadFailure] {
    // A version of the list that is kept has what changes copied.
    let before = edited.isEmpty ? nil : list.items
    let failures = list.take(page)
    if let before { carryOnEdits(since: before) }
    return failures
  }

  private mutating func carryOnEdits(since before: ItemList) {
    for (number, edit) in edited where edit.items.all == list.criteria {
      let known = Set((unanswered[number]?.made ?? []).map(\.id)).union(edit.items.ids)
      let come = ItemList.splices(from: before, to: list.items).flatMap { list.items.items(in: $0.items) }
        .filter { !known.contains($0.itemID) && !list.edited.inserts($0.itemID) }
      guard !come.isEmpty else { continue }
      let edits = edit.set.map { set in list.update(come.map { $0.merging(set) }) } ?? list.remove(come.map(\.itemID))
      unanswered[number]?.made += edits
      list.doubtEdits()
    }
  }
}

extension PagedEdits<RawJSON> {
  /// Gives all that is marked some members. Throws if not all of it is read, and the source takes no edits of many.
  mutating func changeMarked(_ set: RawJSON) throws(Refusal) {
    let rows = try markedRows(.change).map { $0.merging(set) }
    guard makesAtOnce(.change) else {
      guard makes(.change) else { return rows.forEach { list.replace($0) } }
      for row in rows { make(list.update([row]), .update(row.json), .change) }
      return
    }
    guard let items = markedItems else { return }
    let number = send(list.update(rows), .marked(items, set: set))
    if items.all != nil { edited[UInt(number)] = EditOfAll(items, set: set) }
  }
}

extension ItemList.Item {
  /// The item with members of an object in place of its own, and beside them.
  fileprivate func merging(_ set: RawJSON) -> ItemList.Item {
    let (text, id) = (Array(json.merging(set).bytes), rawID)
    // Which member the id is, is known to nobody here.
    let slice = RawItems.Slice(
      start: 0, length: UInt32(text.count), idStart: UInt32(text.count), idLength: UInt32(id.count))
    return ItemList.Item(RawItems(bytes: text + id, slices: [slice]), at: 0)
  }
}

/// An edit that the source hasn't answered.
private struct UnansweredEdit {
  var made: [ListEdit]
  /// An `Edit` of whatever the list holds: a map of generic values can't be compiled for their type.
  let asked: Any
}

/// An edit of all that is looked for but some items.
private struct EditOfAll {
  let items: MarkedItems
  /// The members that the items get; nil where they are removed.
  let set: RawJSON?

  init(_ items: MarkedItems, set: RawJSON?) { (self.items, self.set) = (items, set) }
}

/// An edit of a list, as its source is to make it.
public enum Edit<Item> {
  /// An item is new, and stands before the one with an id; first where that is nil.
  case insert(Item, before: ItemID?)
  /// An item is another than the one with its id was.
  case update(Item)
  /// The item with an id is gone.
  case remove(ItemID)
  /// Many items at once get members of an object, or are gone where that is nil. Only sources are asked that take
  /// ``SourceEdit/Kind/marked``.
  case marked(MarkedItems, set: RawJSON?)
}

extension SourceEdit {
  /// An edit of a list whose items are JSON.
  public init(_ edit: Edit<RawJSON>) {
    switch edit {
    case .insert(let item, let next): self = .insert(item, before: next)
    case .update(let item): self = .change(item)
    case .remove(let id): self = .remove(id)
    case .marked(let items, let set): self = set.map { .changeMarked(items, set: $0) } ?? .removeMarked(items)
    }
  }
}

/// A value that lies elsewhere, so that whoever holds it stays small. Copies are values of their own.
struct Indirect<Value> {
  private final class Box {
    var value: Value

    init(_ value: Value) { self.value = value }
  }

  private var box: Box

  init(_ value: Value) { box = Box(value) }

  var value: Value {
    @inline(__always) _read { yield box.value }
    @inline(__always) _modify {
      if !isKnownUniquelyReferenced(&box) { box = Box(box.value) }
      yield &box.value
    }
  }
}
