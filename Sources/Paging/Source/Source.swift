public import Flow
public import ItemList
public import WireJSON

/// Where the items of a list come from. A source loads pages and single items, makes edits, reports changes, and
/// declares which of these it can do.
///
/// ```swift
/// let list = PagedList(of: issues, following: state.filters).feedback(on: clock)
/// state.react(to: \.issue) { _ in issues.item(id) }
/// state.react(to: \.form) { draft in issues.insert(draft) }
/// ```
/// The product `PageSources` creates a source from another program: `Source(command: ["python3", "tracker.py"], name:
/// "issues", on: loop)`. A test can create one from functions.
///
/// Each function returns a stream. The work begins when the stream is subscribed to, and stops when the subscription is
/// disposed of. All streams fail with a ``LoadFailure``.
public struct Source<Item> {
  /// The source's name in failure messages; empty for none.
  public var name: String
  /// What the source can do. Lists call only the functions that the capabilities allow.
  public var capabilities: SourceCapabilities
  /// Loads one page. It calls `report` with its progress, and directly before it requests the page again after a failed
  /// attempt. A page requested again includes all edits that were made before.
  public var load: (PageRequest, _ report: @escaping (RunReport) -> Void) -> Observable<Page<Item>>
  /// Loads one full item by its id.
  public var loadItem: (ItemID) -> Observable<Item>
  /// Makes an edit. The stream emits a result or just completes once the source has made the edit. The items are JSON,
  /// because an insertion or a change may have only some of an item's fields.
  public var write: (Edit<RawJSON>) -> Observable<EditResult>
  /// Reports changes of the items. The first value confirms the watch, and has the changes since the requested state.
  /// Each later value has further changes.
  public var changes: (WatchRequest) -> Observable<SourceChanges<Item>>
  /// Returns a possible reason for a delay, as a clause for the failure of a load that took too long; nil if none is
  /// known.
  package let trouble: () -> String?
  /// The field that is an item's id; nil if unknown.
  package let idMember: String?

  /// Creates a source from functions. Its capabilities follow from which functions are given.
  ///
  /// - Parameters:
  ///   - name: the source's name in failure messages; empty for none.
  ///   - writes: the kinds of edits that `write` makes. With an empty array, the source's lists are read-only.
  ///   - order: the fields that its items are sorted by; empty if it reports a place for each item.
  ///   - positions: whether it can load the page that begins at a position.
  ///   - around: whether it can load the page that contains an item.
  ///   - page: loads one page. To report progress, assign ``load`` instead.
  ///   - item: loads one full item by its id; nil if there are only pages.
  ///   - write: makes an edit; nil if the list makes all edits alone.
  ///   - edit: like `write`, for a source that changes ids or fields of edited items. It emits the result. Give either
  ///     `write` or `edit`.
  ///   - changes: reports changes of the items; nil if the source doesn't.
  public init(
    name: String = "", writes: [EditKind] = [.insert, .change, .remove], order: [RowOrder] = [],
    positions: Bool = false, around: Bool = false, page: @escaping (PageRequest) -> Observable<Page<Item>>,
    item: ((ItemID) -> Observable<Item>)? = nil, write: ((Edit<RawJSON>) -> Observable<Void>)? = nil,
    edit: ((Edit<RawJSON>) -> Observable<EditResult>)? = nil,
    changes: ((WatchRequest) -> Observable<SourceChanges<Item>>)? = nil
  ) {
    let write = edit ?? write.map { write in { write($0).map { EditResult() } } }
    let capabilities = SourceCapabilities(
      writes: write == nil && !writes.isEmpty ? nil : writes, items: item != nil, live: changes != nil, order: order,
      positions: positions,
      around: around)
    self.init(
      name: name, capabilities, load: { request, _ in page(request) }, loadItem: item ?? { _ in .never() },
      write: write ?? { _ in .empty() }, changes: changes ?? { _ in .never() })
  }

  /// Creates a source from all functions. Those that the capabilities don't allow are never called. Code that wraps
  /// another source uses this initializer, so that the compiler reports each place that forgets a function.
  package init(
    name: String, _ capabilities: SourceCapabilities,
    load: @escaping (PageRequest, _ report: @escaping (RunReport) -> Void) -> Observable<Page<Item>>,
    loadItem: @escaping (ItemID) -> Observable<Item>, write: @escaping (Edit<RawJSON>) -> Observable<EditResult>,
    changes: @escaping (WatchRequest) -> Observable<SourceChanges<Item>>,
    trouble: @escaping () -> String? = { nil }, idMember: String? = nil
  ) {
    (self.name, self.capabilities, self.load, self.loadItem) = (name, capabilities, load, loadItem)
    (self.write, self.changes, self.trouble, self.idMember) = (write, changes, trouble, idMember)
    // An order determines where reported changes belong. Without reports, it must not move the user's own edits.
    if !capabilities.live { self.capabilities.order = [] }
  }

  /// A stream that fails if a capability is missing.
  private func requiring<Value>(
    _ capability: Bool, _ missing: String, _ stream: @autoclosure () -> Observable<Value>
  ) -> Observable<Value> {
    if capability { return stream() }
    let source = name.isEmpty ? "the source" : "the source \"\(name)\""
    return .error(LoadFailure(.unsupported, "\(source) \(missing)"))
  }
}

/// What a source can do: the part of a source's configuration that concerns lists.
public struct SourceCapabilities: Record, Sendable {
  /// The kinds of edits that the source makes. The list makes all others alone; they last as long as it is open. If the
  /// array is empty, the list is read-only. If it is nil, the list makes all edits alone.
  public var writes: [EditKind]?
  /// Whether the source can load one full item by its id.
  public var items: Bool
  /// Whether the source reports changes of its items.
  public var live: Bool
  /// The fields that the items are sorted by, each ascending or descending; empty if the source reports a place for
  /// each item.
  public var order: [RowOrder]
  /// Whether the source can load the page that begins at a position.
  public var positions: Bool
  /// Whether the source can load the page that contains an item.
  public var around: Bool

  /// Creates capabilities. Without arguments, the source can only load pages by key.
  public init(
    writes: [EditKind]? = nil, items: Bool = false, live: Bool = false, order: [RowOrder] = [], positions: Bool = false,
    around: Bool = false
  ) {
    (self.writes, self.items, self.live) = (writes, items, live)
    (self.order, self.positions, self.around) = (order, positions, around)
  }

  /// The fields of a source's configuration.
  public static let fields = Fields(
    SourceCapabilities.init,
    Field(
      "writes", \.writes,
      """
      The edits that the source can make. With \"marked\", it changes and removes several items in one request. If the \
      array is empty, the list is read-only.
      """),
    Field("items", \.items, default: false, itemsSummary),
    Field("live", \.live, default: false, "Whether the source reports its changes to lists that watch it."),
    Field("order", \.order, default: [], "The fields that the items are ordered by, if changes have no positions."),
    Field(
      "positions", \.positions, default: false, "Whether the source can return the page that starts at a position."),
    Field("around", \.around, default: false, "Whether the source can return the page that has a given item."))

  /// Whether the source's lists can't be edited.
  package var isReadOnly: Bool { writes?.isEmpty == true }

  /// Whether the source makes edits of a kind.
  func makes(_ kind: EditKind) -> Bool { writes?.contains(kind) == true }

  /// The description of the field `items`, which all types of sources share.
  package static let itemsSummary = "Whether the source can return one full item by its id, for pagers."
}

extension Source where Item: Codable & Identifiable, Item.ID: Encodable {
  /// Loads one full item by its id. Pages may have only summaries of items. Fails if the source can't load single
  /// items.
  public func item(_ id: Item.ID) -> Observable<Item> {
    guard let id = Items<Item>.itemID(id) else { return .error(LoadFailure(noID: id, of: Item.self)) }
    return requiring(capabilities.items, "returns only pages, not single items", loadItem(id))
  }

  /// Inserts an item, or those of its fields that exist before the source adds the others, such as the id. Emits a
  /// value and completes when the source has inserted it. Fails if the source doesn't support insertions.
  public func insert(_ item: some Encodable) -> Observable<Void> { make(.insert(item, before: nil)) }

  /// Changes an item. The value has the item's id and the fields that change. Emits a value and completes when the
  /// source has changed the item. Fails if the source doesn't support changes.
  public func change(_ item: some Encodable) -> Observable<Void> { make(.update(item)) }

  /// Removes an item. Emits a value and completes when the source has removed it. Fails if the source doesn't support
  /// removals.
  public func remove(_ id: Item.ID) -> Observable<Void> {
    Items<Item>.itemID(id).map { make(Edit<RawJSON>.remove($0)) } ?? .error(LoadFailure(noID: id, of: Item.self))
  }

  private func make(_ edit: Edit<some Encodable>) -> Observable<Void> {
    requiring(
      capabilities.makes(edit.kind), "doesn't make edits of the kind \"\(edit.kind.rawValue)\"",
      write(encoding: edit).map { _ in }.ifEmpty(default: ()))
  }

  /// Creates a source of typed items from a source of JSON. Items that can't be decoded are left out and reported as
  /// failures.
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
  /// Makes an edit whose items are encoded to JSON first.
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
  /// Creates a page of typed items from a page of JSON. Items that can't be decoded are left out and reported as
  /// failures of the load.
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
