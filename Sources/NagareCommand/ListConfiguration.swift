internal import Feeds
internal import Nagare
internal import WireJSON

/// What the definitions of all lists have in common.
protocol PagedListConfiguration: Sendable {
  var source: Reference { get }
  var pageSize: PageSize { get }
  var throttle: Milliseconds { get }
  var onRefresh: ListState.OnRefresh { get }
  var prefetch: ItemCount { get }
  var confirmRemoval: String? { get }
  var detail: Reference? { get }
}

struct ListConfiguration: Record, PagedListConfiguration {
  let viewModel: String
  let source: Reference
  let query: QueryConfiguration
  let pageSize: PageSize
  let throttle: Milliseconds
  let onRefresh: ListState.OnRefresh
  let prefetch: ItemCount
  let confirmRemoval: String?
  let detail: Reference?

  static let fields = Fields(
    ListConfiguration.init,
    Field("viewModel", \.viewModel),
    Field("source", \.source, "Where its pages come from: a name among the sources."),
    Field("query", \.query, default: .text(""), "What it looks for: a text, or the store's key that it follows."),
    ListFields.pageSize(\.pageSize),
    ListFields.throttle(\.throttle),
    ListFields.onRefresh(\.onRefresh),
    ListFields.prefetch(\.prefetch),
    ListFields.confirmRemoval(\.confirmRemoval),
    ListFields.detail(\.detail))
}

struct SearchConfiguration: Record, PagedListConfiguration {
  let viewModel: String
  let source: Reference
  let query: String
  let debounce: Milliseconds
  let pageSize: PageSize
  let throttle: Milliseconds
  let onRefresh: ListState.OnRefresh
  let prefetch: ItemCount
  let confirmRemoval: String?
  let detail: Reference?

  static let fields = Fields(
    SearchConfiguration.init,
    Field("viewModel", \.viewModel),
    Field("source", \.source, "Where its pages come from: a name among the sources."),
    Field("query", \.query, default: "", "What it looks for at first."),
    Field(
      "debounce", \.debounce, default: Milliseconds(200),
      "Milliseconds without another text after which a text is searched for."),
    ListFields.pageSize(\.pageSize),
    ListFields.throttle(\.throttle),
    ListFields.onRefresh(\.onRefresh),
    ListFields.prefetch(\.prefetch),
    ListFields.confirmRemoval(\.confirmRemoval),
    ListFields.detail(\.detail))
}

/// The members that all lists have, with what their absence means.
private enum ListFields {
  static func pageSize<Root>(_ read: @escaping @Sendable (Root) -> PageSize) -> Field<Root, PageSize> {
    Field("pageSize", read, default: PageSize(count: 20), "How many items a page has.")
  }

  static func throttle<Root>(_ read: @escaping @Sendable (Root) -> Milliseconds) -> Field<Root, Milliseconds> {
    Field("throttle", read, default: Milliseconds(1000), "Milliseconds in which a second reachBottom is dropped.")
  }

  static func onRefresh<Root>(
    _ read: @escaping @Sendable (Root) -> ListState.OnRefresh
  ) -> Field<Root, ListState.OnRefresh> {
    Field("onRefresh", read, default: .clear, "Whether a refresh empties the list at once.")
  }

  static func prefetch<Root>(_ read: @escaping @Sendable (Root) -> ItemCount) -> Field<Root, ItemCount> {
    Field("prefetch", read, default: ItemCount(count: 0), "How many items before the end the next page is asked for.")
  }

  static func confirmRemoval<Root>(_ read: @escaping @Sendable (Root) -> String?) -> Field<Root, String?> {
    Field(
      "confirmRemoval", read, "What the user is asked before an item is removed; nothing is asked where it is absent.")
  }

  static func detail<Root>(_ read: @escaping @Sendable (Root) -> Reference?) -> Field<Root, Reference?> {
    Field("detail", read, "The screen that select opens: a name among the screens.")
  }
}

extension ListConfiguration {
  /// A list that behaves as lists usually do.
  init(source: String, query: QueryConfiguration = .text(""), detail: String? = nil) {
    self.init(
      viewModel: "list", source: Reference(name: source), query: query, pageSize: PageSize(count: 20),
      throttle: Milliseconds(1000), onRefresh: .clear, prefetch: ItemCount(count: 0), confirmRemoval: nil,
      detail: detail.map(Reference.init))
  }
}

extension SearchConfiguration {
  /// A search that behaves as searches usually do.
  init(source: String, detail: String? = nil) {
    self.init(
      viewModel: "search", source: Reference(name: source), query: "", debounce: Milliseconds(200),
      pageSize: PageSize(count: 20), throttle: Milliseconds(1000), onRefresh: .clear, prefetch: ItemCount(count: 0),
      confirmRemoval: nil, detail: detail.map(Reference.init))
  }
}

/// What a list looks for: a text, or whatever a store's key holds.
enum QueryConfiguration: JSONValue, Sendable {
  case text(String)
  case following(StoreReference)

  init(json: RawJSON) throws(DecodingFailure) {
    switch json.kind {
    case .string: self = .text(json.string ?? "")
    case .object: self = .following(try StoreReference(json: json))
    default: throw DecodingFailure(expected: "a string, or an object as {\"store\": \"shopSearch.query\"}", in: json)
    }
  }

  static func decode(_ json: RawJSON, in context: inout DecodingContext) -> QueryConfiguration? {
    if json.kind == .object { return StoreReference.decode(json, in: &context).map { .following($0) } }
    do throws(DecodingFailure) {
      return try QueryConfiguration(json: json)
    } catch {
      context.report(error)
      return nil
    }
  }

  func write(to writer: inout JSONWriter) {
    switch self {
    case .text(let text): writer.string(text)
    case .following(let reference): reference.write(to: &writer)
    }
  }

  static var schema: JSONSchema {
    var schema = JSONSchema()
    schema.anyOf = [String.schema, StoreReference.schema]
    return schema
  }

  /// The store's key that is followed.
  var reference: Reference? { if case .following(let reference) = self { reference.store } else { nil } }
}

/// Names a key of a store: `{"store": "shopSearch.query"}`.
struct StoreReference: Record, Sendable {
  let store: Reference

  static let fields = Fields(
    StoreReference.init, Field("store", \.store, "A store and a key of it, with a point between."))
}
