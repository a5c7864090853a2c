public import Flow
internal import ItemList
internal import WireJSON

/// A list of pages: the code that loads it, the filter that it follows, and the code that makes its edits in the
/// source.
///
/// ```swift
/// let list = PagedList(following: state.filter) { key, filter, size in try await api.tickets(after: key, filter, size) }
///   .removing { id in try await api.remove(id) }
///   .updating { ticket in try await api.change(ticket) }
///   .feedback(on: clock)
/// list.on(input.reachBottom) { $0.next() }
/// list.on(input.remove) { $0.remove($1) }
/// return Output(tickets: list.items, loading: list.isLoading, error: list.failure)
/// ```
/// If there is a ``Source``, it does all of this, and also reports changes: `PagedList(of: tickets, following:
/// state.filters)`.
///
/// - The first page loads when the view opens. It loads again for each new value of the filter, and when a step
///   replaces the list by a new one, as `$0 = State()` does. A newer load drops older ones.
/// - An edit is listed at once, and undone if the source refuses it. Edits without a function are made by the list
///   alone.
/// - Each function is either asynchronous code, which runs concurrently with the scheduler, or returns a stream.
public struct PagedList<Item: Codable & Identifiable> where Item.ID: Encodable {
  /// The stream that makes the first page load again, and the trigger name of the failures that follow.
  private let reload: (stream: Observable<Void>, turns: Turn?, name: String)
  /// Loads the first page at such a time.
  private var first: (inout Paged<Item>) -> Void = { $0.first() }
  private var list: Paged<Item>
  private let source: (any Scheduler) -> Source<Item>
  /// The functions that insert, remove and change items instead of the source.
  private var insert: ((Item, any Scheduler) -> Observable<EditResult>)?
  private var remove: ((ItemID, any Scheduler) throws -> Observable<Void>)?
  private var update: ((Item, any Scheduler) -> Observable<Void>)?
  /// The server events that the list follows.
  private var events: Observable<ItemChange<Item>>?

  // MARK: - Pages

  /// Creates a list whose pages are loaded by asynchronous code.
  ///
  /// - Parameters:
  ///   - filter: the value that the items are filtered by.
  ///   - pageSize: how many items to request for a page.
  ///   - onRefresh: what happens to the items when the first page is loaded again.
  ///   - load: loads one page. It receives the `next` key of the page before (nil for the first page), the filter, and
  ///     the number of items to return. It is cancelled when the page is no longer needed.
  public init<Filter: Sendable, Key: Decodable & Sendable>(
    following filter: Driver<Filter>, pageSize: Int = 20, onRefresh: OnRefresh = .clear,
    load: @escaping @Sendable (_ key: Key?, _ filter: Filter, _ size: Int) async throws -> Page<Item>
  ) where Item: Sendable {
    self.init(following: filter, pageSize, onRefresh) { (key: Key?, filter, size, clock) in
      .async(on: clock) { try await load(key, filter, size) }
    }
  }

  /// Creates a list whose pages are loaded by streams. The first value of each stream is the page.
  public init<Filter, Key: Decodable>(
    following filter: Driver<Filter>, pageSize: Int = 20, onRefresh: OnRefresh = .clear,
    load: @escaping (_ key: Key?, _ filter: Filter, _ size: Int) -> Observable<Page<Item>>
  ) {
    self.init(following: filter, pageSize, onRefresh) { key, filter, size, _ in load(key, filter, size) }
  }

  /// Creates a list without a filter, whose pages are loaded by asynchronous code.
  public init<Key: Decodable & Sendable>(
    pageSize: Int = 20, onRefresh: OnRefresh = .clear,
    load: @escaping @Sendable (_ key: Key?, _ size: Int) async throws -> Page<Item>
  ) where Item: Sendable {
    self.init(pageSize, onRefresh, (.just(()), nil, "open")) { request, clock in
      let key = try request.key(as: Key.self)
      return .async(on: clock) { try await load(key, request.size) }
    }
  }

  /// Creates a list without a filter, whose pages are loaded by streams.
  public init<Key: Decodable>(
    pageSize: Int = 20, onRefresh: OnRefresh = .clear,
    load: @escaping (_ key: Key?, _ size: Int) -> Observable<Page<Item>>
  ) {
    self.init(pageSize, onRefresh, (.just(()), nil, "open")) { request, _ in
      load(try request.key(as: Key.self), request.size)
    }
  }

  /// Creates a list of one page that asynchronous code returns.
  ///
  /// ```swift
  /// let channels = PagedList { Page(try await server.channels()) }
  /// ```
  /// - Parameters:
  ///   - onRefresh: what happens to the items when they are loaded again.
  ///   - load: returns all items. A key of another page is ignored.
  public init(
    onRefresh: OnRefresh = .clear, load: @escaping @Sendable () async throws -> Page<Item>
  ) where Item: Sendable {
    self.init(onRefresh: onRefresh) { (_: Int?, _) in try await load() }
  }

  /// Creates a list of one page: the first value of a stream.
  ///
  /// - Parameters:
  ///   - onRefresh: what happens to the items when they are loaded again.
  ///   - load: makes the stream. A key of another page is ignored.
  public init(onRefresh: OnRefresh = .clear, load: @escaping () -> Observable<Page<Item>>) {
    self.init(onRefresh: onRefresh) { (_: Int?, _) in load() }
  }

  /// Creates a list of a source's items. The source makes the list's edits, and reports changes if it is live.
  ///
  /// - Parameters:
  ///   - source: where the items come from.
  ///   - filters: the filters and the order.
  ///   - options: how the list behaves.
  ///   - margin: how many rows a client holds on either side of the viewport; nil if it holds all loaded rows.
  public init(
    of source: Source<Item>, following filters: Driver<FilterValues> = .just([:]),
    _ options: PagingOptions = PagingOptions(onRefresh: .revalidate), margin: Int? = nil
  ) {
    let declaration = ListDeclaration(options, source.capabilities, margin: margin, isServed: true)
    list = Paged(declaration, "", filters.value.asked)
    reload = (filters.asObservable().map { _ in }, filters.turn, "filter")
    first = { list in
      list.filter(filters.value.asked)
      list.firstIfNew()
    }
    self.source = { _ in source }
  }

  private init<Filter, Key: Decodable>(
    following filter: Driver<Filter>, _ pageSize: Int, _ onRefresh: OnRefresh,
    _ load: @escaping (Key?, Filter, Int, any Scheduler) -> Observable<Page<Item>>
  ) {
    self.init(pageSize, onRefresh, (filter.asObservable().map { _ in }, filter.turn, "filter")) { request, clock in
      load(try request.key(as: Key.self), filter.value, request.size, clock)
    }
  }

  private init(
    _ pageSize: Int, _ onRefresh: OnRefresh, _ reload: (Observable<Void>, Turn?, String),
    _ load: @escaping (PageRequest, any Scheduler) throws -> Observable<Page<Item>>
  ) {
    let capabilities = SourceCapabilities(writes: [.change, .remove])
    let options = PagingOptions(pageSize: pageSize, onRefresh: onRefresh)
    list = Paged(ListDeclaration(options, capabilities, margin: nil, isServed: true))
    self.reload = reload
    source = { clock in
      var source = Source<Item> { request in
        do { return try load(request, clock) } catch { return .error(error) }
      }
      source.capabilities = capabilities
      return source
    }
  }

  // MARK: - Edits

  /// Returns the list with asynchronous code that inserts an item in the source.
  ///
  /// The item is listed at once, and ``Paged/pending`` reports it until the source has it. Later edits of the item wait
  /// until then.
  ///
  /// ```swift
  /// let messages = PagedList { key, size in try await server.messages(before: key, size) }
  ///   .inserting(server.post, at: .end, onFailure: .keep)
  ///   .feedback(on: clock)
  /// messages.on(input.send) { try $0.insert(Message(id: UUID().uuidString, text: $1)) }
  /// messages.on(input.retry) { try $0.retry($1) }
  /// return Output(messages: messages.items, pending: messages.pending)
  /// ```
  /// - Parameters:
  ///   - insert: inserts an item. It returns the item as the source has it, or throws. The id of the returned item
  ///     replaces the list's own id.
  ///   - end: where `Paged.insert(_:before:)` puts items without a position.
  ///   - onFailure: what happens to an item if `insert` throws. A kept item is sent again by `Paged.retry(_:)` and
  ///     dropped by `Paged.remove(_:)`.
  /// - Returns: the list.
  public func inserting(
    _ insert: @escaping @Sendable (Item) async throws -> Item, at end: ListEnd = .start,
    onFailure: OnFailedInsertion = .remove
  ) -> PagedList where Item: Sendable {
    inserting(end, onFailure) { item, clock in
      .async(on: clock) { EditResult(inserted: try await insert(item)) }
    }
  }

  /// Returns the list with asynchronous code that inserts an item in the source, which doesn't change the item.
  public func inserting(
    _ insert: @escaping @Sendable (Item) async throws -> Void, at end: ListEnd = .start,
    onFailure: OnFailedInsertion = .remove
  ) -> PagedList where Item: Sendable {
    inserting(end, onFailure) { item, clock in
      .async(on: clock) {
        try await insert(item)
        return EditResult()
      }
    }
  }

  /// Returns the list with a stream that inserts an item in the source and emits the item as the source has it.
  public func inserting(
    _ insert: @escaping (Item) -> Observable<Item>, at end: ListEnd = .start, onFailure: OnFailedInsertion = .remove
  ) -> PagedList {
    inserting(end, onFailure) { item, _ in insert(item).map { EditResult(inserted: $0) } }
  }

  private func inserting(
    _ end: ListEnd, _ onFailure: OnFailedInsertion,
    _ insert: @escaping (Item, any Scheduler) -> Observable<EditResult>
  ) -> PagedList {
    var list = self
    list.insert = insert
    list.declare { _, capabilities, rules in
      if !capabilities.makes(.insert) { capabilities.writes = (capabilities.writes ?? []) + [.insert] }
      (rules.end, rules.onFailure) = (end, onFailure)
    }
    return list
  }

  /// Returns the list with asynchronous code that removes an item in the source.
  ///
  /// ```swift
  /// let list = PagedList { key, size in try await api.tickets(after: key, size) }
  ///   .removing(api.remove, undoableFor: .seconds(5))
  ///   .feedback(on: clock)
  /// list.on(input.remove) { $0.remove($1) }
  /// list.on(input.undo) { $0.undo() }
  /// return Output(tickets: list.items, undoable: list.undoable, error: list.failure)
  /// ```
  /// - Parameters:
  ///   - remove: removes the item with an id. It returns when that is done, or throws.
  ///   - time: for how long a removal can be undone; nil if it can't. `remove` is called after that time, or when the
  ///     view closes.
  /// - Returns: the list.
  public func removing(
    _ remove: @escaping @Sendable (Item.ID) async throws -> Void, undoableFor time: Duration? = nil
  ) -> PagedList where Item.ID: Decodable & Sendable {
    removing(time) { id, clock in .async(on: clock) { try await remove(id) } }
  }

  /// Returns the list with a stream that removes an item in the source. The stream completes when that is done, or
  /// fails.
  ///
  /// - Parameters:
  ///   - remove: makes the stream.
  ///   - time: for how long a removal can be undone; nil if it can't.
  /// - Returns: the list.
  public func removing(
    _ remove: @escaping (Item.ID) -> Observable<Void>, undoableFor time: Duration? = nil
  ) -> PagedList where Item.ID: Decodable {
    removing(time) { id, _ in remove(id) }
  }

  private func removing(
    _ time: Duration?, _ remove: @escaping (Item.ID, any Scheduler) -> Observable<Void>
  ) -> PagedList where Item.ID: Decodable {
    var list = self
    list.remove = { id, clock in remove(try id.raw.decode(Item.ID.self), clock) }
    if let time { list.declare { options, _, _ in options.undo = Milliseconds(time) } }
    return list
  }

  /// Returns the list with asynchronous code that changes an item in the source.
  ///
  /// - Parameters:
  ///   - update: replaces the item that has the same id. It returns when that is done, or throws.
  ///   - time: for how long a change can be undone; nil if it can't. `update` is called after that time, or when the view
  ///     closes.
  /// - Returns: the list.
  public func updating(
    _ update: @escaping @Sendable (Item) async throws -> Void, undoableFor time: Duration? = nil
  ) -> PagedList where Item: Sendable {
    updating(time) { item, clock in .async(on: clock) { try await update(item) } }
  }

  /// Returns the list with a stream that changes an item in the source. The stream completes when that is done, or fails.
  ///
  /// - Parameters:
  ///   - update: makes the stream.
  ///   - time: for how long a change can be undone; nil if it can't.
  /// - Returns: the list.
  public func updating(
    _ update: @escaping (Item) -> Observable<Void>, undoableFor time: Duration? = nil
  ) -> PagedList {
    updating(time) { item, _ in update(item) }
  }

  private func updating(
    _ time: Duration?, _ update: @escaping (Item, any Scheduler) -> Observable<Void>
  ) -> PagedList {
    var list = self
    list.update = update
    if let time { list.declare { _, _, rules in rules.changeUndo = Milliseconds(time) } }
    return list
  }

  // MARK: - Server events

  /// Returns the list, following the events of a server from the first load on.
  ///
  /// The events replace the changes of a ``Source``. After a retryable failure the list subscribes to the stream again,
  /// and reloads.
  ///
  /// - Parameters:
  ///   - events: the insertions, changes and removals.
  ///   - order: the fields that the items are sorted by, for insertions without a position.
  /// - Returns: the list.
  public func following(_ events: Observable<ItemChange<Item>>, order: [RowOrder] = []) -> PagedList {
    var list = self
    list.events = events
    list.declare { _, capabilities, _ in
      capabilities.live = true
      if !order.isEmpty { capabilities.order = order }
    }
    return list
  }

  /// Replaces the list by one with other settings.
  private mutating func declare(
    _ change: (inout PagingOptions, inout SourceCapabilities, inout EditRules) -> Void
  ) {
    let declared = list.core.value.declaration
    var (options, capabilities, rules) = (declared.options, declared.source, declared.rules)
    change(&options, &capabilities, &rules)
    let declaration = ListDeclaration(options, capabilities, margin: declared.margin, isServed: true, rules: rules)
    list = Paged(declaration, list.query, list.filters)
  }

  // MARK: - State

  /// Returns a state that consists of this list. Add rules to it for what each input does.
  public func feedback(on clock: any Scheduler) -> Feedback<Paged<Item>> {
    let state = Feedback(list, on: clock)
    state.react(to: \.self, by: self)
    return state
  }

  fileprivate func serve<State>(_ path: WritableKeyPath<State, Paged<Item>>, of state: Feedback<State>) {
    let clock = state.clock
    state.change { $0[keyPath: path] = list }
    state.prepare(path, unless: { $0.core.value.declaration.isServed }) { [list, first] _ in
      var list = list
      first(&list)
      return list
    }
    state.follow(reload.stream, of: reload.turns, reload.name) { [first] state, _ in first(&state[keyPath: path]) }
    var source = source(clock)
    if let events {
      source.capabilities.live = true
      source.changes = { _ in events.sourceChanges() }
    }
    let edits = SourceEdits<Item> { [insert, remove, update] edit in
      do {
        if case .insert(let item, _) = edit, let insert { return insert(item, clock) }
        if case .remove(let id) = edit, let remove { return try remove(id, clock).map { EditResult() } }
        if case .update(let item) = edit, let update { return update(item, clock).map { EditResult() } }
        return source.write(encoding: edit)
      } catch {
        return .error(error)
      }
    }
    state.connect(path, source, edits.write)
  }
}

extension Feedback {
  /// Connects a list inside a larger state with a `PagedList`, which loads its pages and makes its edits. Its loads and
  /// failures are also those of the state.
  ///
  /// ```swift
  /// state.react(to: \.lines, by: PagedList { key, size in try await shop.lines(of: id, key, size) })
  /// state.on(input.reachBottom) { $0.lines.next() }
  /// ```
  /// The `PagedList` determines the page size and what a refresh does. The filter that it follows may be part of the
  /// same state.
  ///
  /// - Parameters:
  ///   - path: the list in the state.
  ///   - list: the code that loads and edits it.
  public func react<Item: Codable & Identifiable>(
    to path: WritableKeyPath<State, Paged<Item>>, by list: PagedList<Item>
  ) where Item.ID: Encodable {
    list.serve(path, of: self)
  }
}

extension PageRequest {
  fileprivate func key<Key: Decodable>(as type: Key.Type) throws -> Key? { try key.map { try $0.decode(Key.self) } }
}
