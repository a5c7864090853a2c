internal import Screens
internal import Nagare
internal import WireJSON

/// A screen, by its `viewModel`.
enum ScreenConfiguration: Sendable {
  case list(ListConfiguration)
  case pager(PagerConfiguration)
  case search(SearchConfiguration)
  case choice(ChoiceConfiguration)
  case feed(FeedConfiguration)
  case task(TasksConfiguration)
}

extension ScreenConfiguration: Tagged {
  static let tag = "viewModel"

  static let kinds: [Kind<ScreenConfiguration>] = [
    Kind("list", ListConfiguration.self) { .list($0) },
    Kind("pager", PagerConfiguration.self) { .pager($0) },
    Kind("search", SearchConfiguration.self) { .search($0) },
    Kind("choice", ChoiceConfiguration.self) { .choice($0) },
    Kind("feed", FeedConfiguration.self) { .feed($0) },
    Kind("task", TasksConfiguration.self) { .task($0) },
  ]

  var content: any JSONEncodable {
    switch self {
    case .list(let content): content
    case .pager(let content): content
    case .search(let content): content
    case .choice(let content): content
    case .feed(let content): content
    case .task(let content): content
    }
  }
}

extension ScreenConfiguration {
  /// The store's key that a list's query follows.
  var followedKey: Reference? { if case .list(let list) = self { list.query.reference } else { nil } }
}

extension ScreenConfiguration {
  /// Where its items come from.
  var source: Reference? {
    switch self {
    case .list(let list): list.source
    case .search(let search): search.source
    case .pager(let pager): pager.source
    case .feed(let feed): feed.source
    case .choice, .task: nil
    }
  }

  /// How frontends show it.
  var display: DisplayConfiguration? {
    switch self {
    case .list(let list): list.paging.display
    case .search(let search): search.paging.display
    case .pager(let pager): pager.display
    case .choice(let choice): choice.display
    case .feed(let feed): feed.display
    case .task(let tasks): tasks.display
    }
  }
}

/// How a screen is shown, and where that stands in the configuration.
struct DisplayConfiguration: JSONValue, Sendable {
  let display: Display
  private let place: RawJSON?

  init(_ display: Display) { (self.display, place) = (display, nil) }

  init(json: RawJSON) throws(DecodingFailure) { (display, place) = (try Display(json: json), json) }

  static func decode(_ json: RawJSON, in context: inout DecodingContext) -> DisplayConfiguration? {
    Display.decode(json, in: &context).map { DisplayConfiguration($0, json) }
  }

  private init(_ display: Display, _ place: RawJSON) { (self.display, self.place) = (display, place) }

  var json: RawJSON { place ?? display.json }

  func write(to writer: inout JSONWriter) { display.write(to: &writer) }

  static var schema: JSONSchema { Display.schema }
}

/// What `display` is for, of a screen.
let displaySummary = "How frontends show it; by default they guess."

/// One item at a time.
struct PagerConfiguration: Record, Sendable {
  let viewModel: String
  var source: Reference?
  var whole = false
  var display: DisplayConfiguration?

  static let fields = Fields(
    PagerConfiguration.init,
    Field("viewModel", \.viewModel),
    Field(
      "source", \.source, "Where an item comes from that is opened by its id alone: a source that gives whole items."),
    Field(
      "whole", \.whole, default: false,
      "Whether the rows of its lists are summaries: their source is asked for the whole item that is shown."),
    Field("display", \.display, displaySummary))
}

/// What a client opens a pager by.
struct PagerParameters: Record {
  let id: ItemID?
  let list: String?

  static let fields = Fields(
    PagerParameters.init,
    Field("id", \.id, "The item."),
    Field("list", \.list, "The open list that it is an item of; by default none."))

  static var schema: JSONSchema {
    var schema = JSONSchema(properties: fields.properties)
    schema.properties[0].isRequired = true
    return schema
  }
}
