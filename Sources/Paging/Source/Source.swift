public import Flow
public import ItemList
public import WireJSON

/// Where the items of a list are: its pages, single items, edits, changes, and what the source can do.
///
/// ```swift
/// let list = PagedList(of: issues, following: state.filters).feedback(on: clock)
/// state.react(to: \.issue) { _ in issues.item(id) }
/// state.react(to: \.form) { draft in issues.insert(draft) }
/// ```
/// The product `PageSources` makes one of another program:
/// `Source(command: ["python3", "tracker.py"], name: "issues", on: loop)`. A test makes one of functions.
///
/// Each function returns a stream that begins its work when somebody subscribes, and stops it when the subscription is
/// disposed of. All fail with a ``LoadFailure``.
public struct Source<Item> {
  /// The name of the source in messages of failures; empty for a source without a name.
  public var name: String
  /// What the source can do. Lists call only the functions that the capabilities allow.
  public var capabilities: SourceCapabilities
  /// Loads one page. It calls the function to report progress, and just before it requests the page once more, which then
  /// contains all edits that were made by that time.
  public var load: (PageRequest, _ report: @escaping (RunReport) -> Void) -> Observable<Page<Item>>
  /// Loads one whole item by its id.
  public var loadItem: (ItemID) -> Observable<Item>
  /// Makes an edit, and gives what the source made of its item, or completes, when the source has made it. Items are JSON, because
  /// an insertion or a change may hold only some members of an item.
  public var write: (Edit<RawJSON>) -> Observable<EditResult>
  /// Reports how the items change: first that it will, with the changes since the state of the request, then each change.
  public var changes: (WatchRequest) -> Observable<SourceChanges<Item>>
  /// What may delay an answer, as a clause for the failure of a load that took too long; nil if nothing is known.
  package let trouble: () -> String?
  /// The member of an item that is its id; nil if nobody says.
  package let idMember: String?

  /// A source of functions, with all capabilities that they give it.
  ///
  /// - Parameters:
  ///   - name: its name in messages of failures; empty for none.
  ///   - writes: the kinds of edits that `write` makes.
  ///   - order: the members by which its items are in order; empty if it reports a place for each item.
  ///   - positions: whether it gives the page that begins at a position.
  ///   - around: whether it gives the page that holds an item.
  ///   - page: loads one page. A function that reports progress takes its place in ``load``.
  ///   - item: loads one whole item by its id; nil if there are only pages.
  ///   - write: makes an edit; nil if the list makes all edits by itself.
  ///   - edit: the same for a source that gives items ids, or other fields: it emits what became of the item. Give either `write` or `edit`.
  ///   - changes: reports how the items change; nil if it doesn't.
  public init(
    name: String = "", writes: [EditKind] = [.insert, .change, .remove], order: [RowOrder] = [],
    positions: Bool = false, around: Bool = false, page: @escaping (PageRequest) -> Observable<Page<Item>>,
    item: ((ItemID) -> Observable<Item>)? = nil, write: ((Edit<RawJSON>) -> Observable<Void>)? = nil,
    edit: ((Edit<RawJSON>) -> Observable<EditResult>)? = nil,
    changes: ((WatchRequest) -> Observable<SourceChanges<Item>>)? = nil
  ) {
    let write = edit ?? write.map { write in { write($0).map { EditResult() } } }
    let capabilities = SourceCapabilities(
      writes: write == nil ? [] : writes, items: item != nil, live: changes != nil, order: order, positions: positions,
      around: around)
    self.init(
      name: name, capabilities, load: { request, _ in page(request) }, loadItem: item ?? { _ in .never() },
      write: write ?? { _ in .empty() }, changes: changes ?? { _ in .never() })
  }

  /// A source of all functions. Those that the capabilities don't allow are never called. What makes a source of another one
  /// goes through here, so that the compiler finds each place that forgets a function.
  package init(
    name: String, _ capabilities: SourceCapabilities,
    load: @escaping (PageRequest, _ report: @escaping (RunReport) -> Void) -> Observable<Page<Item>>,
    loadItem: @escaping (ItemID) -> Observable<Item>, write: @escaping (Edit<RawJSON>) -> Observable<EditResult>,
    changes: @escaping (WatchRequest) -> Observable<SourceChanges<Item>>,
    trouble: @escaping () -> String? = { nil }, idMember: String? = nil
  ) {
    (self.name, self.capabilities, self.load, self.loadItem) = (name, capabilities, load, loadItem)
    (self.write, self.changes, self.trouble, self.idMember) = (write, changes, trouble, idMember)
    // An order says where reported changes belong. Without reports it must not move the user's own edits.
    if !capabilities.live { self.capabilities.order = [] }
  }

  /// A stream that fails where a capability is missing.
  private func requiring<Value>(
    _ capability: Bool, _ missing: String, _ stream: @autoclosure () -> Observable<Value>
  ) -> Observable<Value> {
    if capability { return stream() }
    let source = name.isEmpty ? "the source" : "the source \"\(name)\""
    return .error(LoadFailure(.unsupported, "\(source) \(missing)"))
  }
}

/// What a source can do: the part of a source's configuration that lists read.
public struct SourceCapabilities: Record, Sendable {
  /// The kinds of edits that the source makes. The list makes all others by itself, for as long as it is open.
  public var writes: [EditKind]
  /// Whether the source gives one whole item by its id.
  public var items: Bool
  /// Whether the source reports how its items change.
  public var live: Bool
  /// The members by which its items are in order, each of which may fall; empty if it reports a place for each item.
  public var order: [RowOrder]
  /// Whether the source gives the page that begins at a position.
  public var positions: Bool
  /// Whether the source gives the page that holds an item.
  public var around: Bool

  /// The capabilities of a source that gives only pages, and those that are named.
  public init(
    writes: [EditKind] = [], items: Bool = false, live: Bool = false, order: [RowOrder] = [], positions: Bool = false,
    around: Bool = false
  ) {
    (self.writes, self.items, self.live) = (writes, items, live)
    (self.order, self.positions, self.around) = (order, positions, around)
  }

  /// The members of a source's configuration.
  public static let fields = Fields(
    SourceCapabilities.init,
    Field(
      "writes", \.writes, default: [],
      "The edits that the source can make. With \"marked\", it changes and removes several items in one request."
    ),
    Field("items", \.items, default: false, itemsSummary),
    Field("live", \.live, default: false, "Whether the source reports its changes to lists that watch it."),
    Field("order", \.order, default: [], "The fields that the items are ordered by, if changes have no positions."),
    Field(
      "positions", \.positions, default: false, "Whether the source can return the page that starts at a position."),
    Field("around", \.around, default: false, "Whether the source can return the page that has a given item."))

  /// The description of `items`, which every type of source has.
  package static let itemsSummary = "Whether the source can return one full item by its id, for pagers."
}

extension Source where Item: Codable & Identifiable, Item.ID: Encodable {
  /// Loads one whole item, where pages may hold summaries. Fails if the source gives only pages.
  public func item(_ id: Item.ID) -> Observable<Item> {
    guard let id = Items<Item>.itemID(id) else { return .error(LoadFailure(noID: id, of: Item.self)) }
    return requiring(capabilities.items, "returns only pages, not single items", loadItem(id))
  }

  /// Adds an item, or as much of it as exists before the source adds the rest, such as the id. Emits a value and completes when
  /// the source has added it. Fails if the source makes no such edits.
  public func insert(_ item: some Encodable) -> Observable<Void> { make(.insert(item, before: nil)) }

  /// Changes an item to a value: its id, and the members that change. Emits a value and completes when the source has changed it.
  /// Fails if the source makes no such edits.
  public func change(_ item: some Encodable) -> Observable<Void> { make(.update(item)) }

  /// Removes an item. Emits a value and completes when the source has removed it. Fails if the source makes no such edits.
  public func remove(_ id: Item.ID) -> Observable<Void> {
    Items<Item>.itemID(id).map { make(Edit<RawJSON>.remove($0)) } ?? .error(LoadFailure(noID: id, of: Item.self))
  }

  private func make(_ edit: Edit<some Encodable>) -> Observable<Void> {
    requiring(
      capabilities.writes.contains(edit.kind), "doesn't make edits of the kind \"\(edit.kind.rawValue)\"",
      write(encoding: edit).map { _ in }.ifEmpty(default: ()))
  }

  /// A source of items that another one has as JSON. Those that aren't of the type are left out, and are failures.
  public init(reading source: Source<RawJSON>) {
    self.init(
      name: source.name, source.capabilities,
      load: { request, report in source.load(request, report).map { Page(reading: $0) } },
      loadItem: { id in source.loadItem(id).flatMap { Source.read($0, id) } },
      write: { source.write($0).map { $0.checked(as: Item.self) } },
      changes: { source.changes($0).map { SourceChanges(reading: $0) } }, trouble: source.trouble,
      idMember: source.idMember)
  }

  private static func read(_ json: RawJSON, _ id: ItemID) -> Observable<Item> {
    do throws(DecodingFailure) {
      return .just(try json.decode())
    } catch {
      return .error(LoadFailure(.badRecord, "the \(Item.self) \(id) can't be read: \(error.message)"))
    }
  }
}

extension Source {
  /// Makes an edit of items that are encoded for it.
  func write(encoding edit: Edit<some Encodable>) -> Observable<EditResult> {
    do throws(EncodingFailure) {
      return write(try edit.json())
    } catch {
      return .error(LoadFailure(.badRecord, error.message))
    }
  }
}

extension LoadFailure {
  fileprivate init<ID, Item>(noID id: ID, of type: Item.Type) { self.init(.noSuchItem, "no \(type) has the id \(id)") }
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
    (position, isTotalExact, isOpen) = (page.position, page.isTotalExact, page.isOpen)
  }
}
