public import Flow
internal import ItemList
internal import WireJSON

/// A list of pages that follows a filter, and what makes its edits in the source.
///
/// ```swift
/// let list = PagedList(following: state.filter) { key, filter, size in api.tickets(after: key, filter, limit: size) }
///   .removing { id in api.remove(id) }
///   .updating { ticket in api.change(ticket) }
///   .feedback(on: clock)
/// list.on(input.reachBottom) { $0.next() }
/// list.on(input.remove) { $0.remove($1) }
/// return Output(tickets: list.items, loading: list.isLoading, error: list.failure)
/// ```
/// The first page is loaded when the view is opened, and again for each new value of the filter: the newest wins, and a
/// load for an older one is dropped. An edit is listed at once, and undone if the source refuses it. Edits that nothing is
/// said of are the list's own.
public struct PagedList<Item: Codable & Identifiable> where Item.ID: Encodable {
  private let list: Paged<Item>
  private let load: (Feedback<Paged<Item>>) -> Void
  private var remove: (ItemID) -> Observable<Void> = { _ in .empty() }
  private var update: (Item) -> Observable<Void> = { _ in .empty() }

  /// A list of what a function gives.
  ///
  /// - Parameters:
  ///   - filter: what the items have in common.
  ///   - pageSize: how many items a page should have.
  ///   - onRefresh: what becomes of the items when the first page is loaded again.
  ///   - load: gives one page: by what the page before has named as the key of its next, nil for the first, the filter,
  ///     and how many items the page should have. It is dropped when the page is no longer wanted.
  public init<Filter, Key: Decodable>(
    following filter: Driver<Filter>, pageSize: Int = 20, onRefresh: OnRefresh = .clear,
    load: @escaping (_ key: Key?, _ filter: Filter, _ size: Int) -> Observable<Page<Item>>
  ) {
    list = Paged(pageSize: pageSize, onRefresh: onRefresh, writes: [.change, .remove])
    self.load = { list in
      list.on(filter, as: "filter") { list, _ in list.first() }
      list.react(to: \.self) { request in
        do {
          return load(try request.key.map { try $0.decode(Key.self) }, filter.value, request.size)
        } catch {
          return .error(error)
        }
      }
    }
  }

  /// The list with what removes an item in the source.
  ///
  /// - Parameter remove: removes the item with an id: completes when that is done, or fails.
  /// - Returns: the list.
  public func removing(_ remove: @escaping (Item.ID) -> Observable<Void>) -> PagedList where Item.ID: Decodable {
    var list = self
    list.remove = { id in
      do { return remove(try id.raw.decode(Item.ID.self)) } catch { return .error(error) }
    }
    return list
  }

  /// The list with what updates an item in the source.
  ///
  /// - Parameter update: puts the item in the place of the one with its id: completes when that is done, or fails.
  /// - Returns: the list.
  public func updating(_ update: @escaping (Item) -> Observable<Void>) -> PagedList {
    var list = self
    list.update = update
    return list
  }

  /// The list's state, which loads and edits as was said; further rules say what inputs do to it.
  ///
  /// - Parameter clock: where time comes from.
  /// - Returns: the state.
  public func feedback(on clock: any Scheduler) -> Feedback<Paged<Item>> {
    let list = Feedback(list, on: clock)
    load(list)
    list.react(to: \.edits) { [remove, update] edit in
      switch edit {
      case .insert: .empty()
      case .update(let item): update(item)
      case .remove(let id): remove(id)
      }
    }
    return list
  }
}
