internal import Screens
internal import Nagare
internal import Paging
internal import RPC
internal import WireJSON

/// A list of pages.
struct ListConfiguration: Record, Sendable {
  let viewModel: String
  let source: Reference
  let query: Followable<QueryText>
  let paging: PagingConfiguration

  static let fields = Fields(
    ListConfiguration.init,
    Field("viewModel", \.viewModel),
    Field("source", \.source, "Where its pages come from: a name among the sources."),
    Field(
      "query", \.query, default: .value(QueryText()), "What it looks for: a text, or the store's key that it follows."),
    Field(flattening: \.paging))
}

/// A list of what is searched for.
struct SearchConfiguration: Record, Sendable {
  let viewModel: String
  let source: Reference
  let query: QueryText
  let debounce: Milliseconds
  let paging: PagingConfiguration

  static let fields = Fields(
    SearchConfiguration.init,
    Field("viewModel", \.viewModel),
    Field("source", \.source, "Where its pages come from: a name among the sources."),
    Field("query", \.query, default: QueryText(), "What it looks for at first."),
    Field(
      "debounce", \.debounce, default: Milliseconds(200),
      "Milliseconds without another text after which a text is searched for."),
    Field(flattening: \.paging))
}

/// What all lists have in common: how they grow, and what is done with their items.
struct PagingConfiguration: Record, Sendable {
  var pageSize = 20
  var throttle = Milliseconds(1000)
  var onRefresh = OnRefresh.clear
  var prefetch = 0
  var confirmRemoval: String?
  var detail: Reference?
  var filters = Members<Followable<RawJSON>>()
  var arrivals = OnArrival.show
  var livePace = Milliseconds(100)
  var maxItems = 10_000
  var sections: SectionRule?
  var marks = false
  var display: DisplayConfiguration?

  static let fields = Fields(
    PagingConfiguration.init,
    Field("pageSize", \.pageSize, default: 20, "How many items a page has.").limited(to: .pageSize),
    Field(
      "throttle", \.throttle, default: Milliseconds(1000), "Milliseconds in which a second reachBottom is dropped."),
    Field("onRefresh", \.onRefresh, default: .clear, "Whether a refresh empties the list at once."),
    Field("prefetch", \.prefetch, default: 0, "How many items before the end the next page is asked for.")
      .limited(to: .itemCount),
    Field(
      "confirmRemoval", \.confirmRemoval,
      "What the user is asked before an item is removed; nothing is asked where it is absent."),
    Field("detail", \.detail, "The screen that select opens: a name among the screens."),
    Field(
      "filters", \.filters, default: Members(),
      "What it filters and sorts by: a value under each name, or the store's key that it follows."),
    Field(
      "arrivals", \.arrivals, default: .show,
      "Whether items are held back that a live source lists before the first: never, while that isn't in sight, or always."
    ),
    Field(
      "livePace", \.livePace, default: Milliseconds(100),
      "Milliseconds between two notifications of changes that a live source reports."),
    Field(
      "maxItems", \.maxItems, default: 10_000,
      "How many rows are kept for a client that holds a window of them."
    ).limited(to: .itemCount),
    Field("sections", \.sections, "By what neighbours are counted together, under a heading."),
    Field("marks", \.marks, default: false, "Whether items can be marked, to be edited together."),
    Field("display", \.display, displaySummary))
}

extension ListConfiguration {
  /// A list that is served where nobody has said how it is to behave: a refresh leaves its items where they are.
  init(
    source: String, query: Followable<QueryText> = .value(QueryText()), detail: String? = nil,
    arrivals: OnArrival = .show,
    display: Display? = nil
  ) {
    self.init(
      viewModel: "list", source: Reference(name: source), query: query,
      paging: PagingConfiguration(
        onRefresh: .revalidate, detail: detail.map(Reference.init), arrivals: arrivals,
        display: display.map(DisplayConfiguration.init)))
  }
}

extension SearchConfiguration {
  /// A search that is served where nobody has said how it is to behave: a refresh leaves its items where they are.
  init(source: String, detail: String? = nil, display: Display? = nil) {
    self.init(
      viewModel: "search", source: Reference(name: source), query: QueryText(), debounce: Milliseconds(200),
      paging: PagingConfiguration(
        onRefresh: .revalidate, detail: detail.map(Reference.init), display: display.map(DisplayConfiguration.init)))
  }
}

/// What a list filters by or looks for: a value, or whatever a store's key holds.
enum Followable<Value: JSONValue & Sendable>: JSONValue, Sendable {
  case value(Value)
  case following(StoreReference)

  init(json: RawJSON) throws(DecodingFailure) {
    if Followable.isReference(json) {
      self = .following(try StoreReference(json: json))
      return
    }
    do throws(DecodingFailure) {
      self = .value(try Value(json: json))
    } catch {
      throw DecodingFailure(expected: "\(error.expected), or an object as {\"store\": \"shopSearch.query\"}", in: json)
    }
  }

  static func decode(_ json: RawJSON, in context: inout DecodingContext) -> Followable? {
    if isReference(json) { return StoreReference.decode(json, in: &context).map { .following($0) } }
    do throws(DecodingFailure) {
      return try Followable(json: json)
    } catch {
      context.report(error)
      return nil
    }
  }

  /// Where a value may be an object itself, one without a store is that.
  private static func isReference(_ json: RawJSON) -> Bool {
    json.kind == .object && (!Value.schema.types.isEmpty || json.member("store") != nil)
  }

  func write(to writer: inout JSONWriter) {
    switch self {
    case .value(let value): value.write(to: &writer)
    case .following(let reference): reference.write(to: &writer)
    }
  }

  /// The store's key that is followed.
  var reference: Reference? { if case .following(let reference) = self { reference.store } else { nil } }

  static var schema: JSONSchema {
    var schema = JSONSchema()
    schema.anyOf = [StoreReference.schema, Value.schema]
    return schema
  }
}

/// Names a key of a store: `{"store": "shopSearch.query"}`.
struct StoreReference: Record, Sendable {
  let store: Reference

  static let fields = Fields(
    StoreReference.init, Field("store", \.store, "A store and a key of it, with a point between."))
}
