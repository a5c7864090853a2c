public import Flow
public import ItemList
public import WireJSON

/// Where items of a type are: their pages, single ones, edits, and how they change.
///
/// ```swift
/// let list = PagedList(of: issues, following: state.filters).feedback(on: clock)
/// state.react(to: \.issue) { _ in issues.item(id) }
/// state.react(to: \.form) { draft in issues.insert(draft) }
/// ```
/// One whose items another program has is made of that program, by the product `PageSources`:
/// `ItemSource(command: ["python3", "tracker.py"], name: "issues", on: loop)`. A test makes one of functions of its own.
public struct ItemSource<Item: Codable & Identifiable> where Item.ID: Encodable {
  /// By what its items are in order; empty where it says a place for each.
  public let order: [RowOrder]
  /// Gives one page, or fails with a ``LoadFailure``.
  public let page: (PageRequest) -> Observable<Page<Item>>
  /// Tells how the items change: first that it will, and what has happened since a state, then what happens. Nil where it
  /// never tells.
  public let changes: ((WatchRequest) -> Observable<SourceChanges<Item>>)?
  private let whole: (ItemID) -> Observable<Item>
  private let edit: (SourceEdit) -> Observable<Void>

  /// A source of functions.
  ///
  /// - Parameters:
  ///   - order: by what its items are in order; empty where it says a place for each.
  ///   - page: gives one page, or fails with a ``LoadFailure``.
  ///   - item: gives one whole item by its id.
  ///   - edit: makes an edit: completes when that is done, or fails with a ``LoadFailure``.
  ///   - changes: tells how the items change; nil where it never does.
  public init(
    order: [RowOrder] = [], page: @escaping (PageRequest) -> Observable<Page<Item>>,
    item: @escaping (ItemID) -> Observable<Item> = { _ in .error(LoadFailure(.noSuchItem, "there are pages alone")) },
    edit: @escaping (SourceEdit) -> Observable<Void> = { _ in .empty() },
    changes: ((WatchRequest) -> Observable<SourceChanges<Item>>)? = nil
  ) {
    (self.order, self.page, whole, self.edit, self.changes) = (order, page, item, edit, changes)
  }

  /// One whole item, where pages may hold summaries.
  public func item(_ id: Item.ID) -> Observable<Item> {
    guard let id = Items<Item>.itemID(id) else {
      return .error(LoadFailure(.noSuchItem, "no \(Item.self) has the id \(id)"))
    }
    return whole(id)
  }

  /// Adds an item, or as much of it as there is before the source has added the rest, such as the id. Completes with a
  /// value once it is there.
  public func insert(_ item: some Encodable) -> Observable<Void> { making(item) { .insert($0, before: nil) } }

  /// Changes an item to what is given: its id, and whatever members are others. Completes with a value once it is so.
  public func change(_ item: some Encodable) -> Observable<Void> { making(item) { .change($0) } }

  /// Removes an item. Completes with a value once it is gone.
  public func remove(_ id: Item.ID) -> Observable<Void> { making(id) { ItemID($0).map { .remove($0) } } }

  private func making(_ value: some Encodable, _ edit: (RawJSON) -> SourceEdit?) -> Observable<Void> {
    do {
      guard let edit = edit(try RawJSON(encoding: value)) else {
        return .error(LoadFailure(.noSuchItem, "no \(Item.self) has the id \(value)"))
      }
      return self.edit(edit).ifEmpty(default: ())
    } catch {
      return .error(LoadFailure(.badRecord, error.message))
    }
  }

  /// Makes an edit of a list.
  func write(_ edit: Edit<Item>) -> Observable<Void> {
    switch edit {
    case .insert(let item, let next): making(item) { .insert($0, before: next) }
    case .update(let item): change(item)
    case .remove(let id): self.edit(.remove(id))
    case .marked(let items, let set?): self.edit(.changeMarked(items, set: set))
    case .marked(let items, nil): self.edit(.removeMarked(items))
    }
  }
}

extension Page where Item: Codable & Identifiable, Item.ID: Encodable {
  /// A page of items that are there as JSON. Those that aren't of the type are left out, and are failures of the load.
  public init(reading page: Page<RawJSON>) {
    var (slices, failures): ([RawItems.Slice], [LoadFailure]) = ([], page.failures)
    for (index, slice) in page.items.slices.enumerated() {
      do throws(DecodingFailure) {
        _ = try page.items[index].decode(Item.self)
        slices.append(slice)
      } catch {
        let name = "the \(Item.self) \(page.items.id(at: index))"
        failures.append(LoadFailure(.badRecord, "\(name) was left out: \(error.message)"))
      }
    }
    self.init(
      items: RawItems(bytes: page.items.bytes, slices: slices), next: page.next, previous: page.previous,
      total: page.total, state: page.state, failures: failures)
    (position, isTotalExact) = (page.position, page.isTotalExact)
  }
}
