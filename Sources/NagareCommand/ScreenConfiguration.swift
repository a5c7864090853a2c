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

/// One item at a time.
struct PagerConfiguration: Record, Sendable {
  let viewModel: String
  var source: Reference?
  var whole = false

  static let fields = Fields(
    PagerConfiguration.init,
    Field("viewModel", \.viewModel),
    Field(
      "source", \.source, "Where an item comes from that is opened by its id alone: a source that gives whole items."),
    Field(
      "whole", \.whole, default: false,
      "Whether the rows of its lists are summaries: their source is asked for the whole item that is shown."))
}

/// What a client opens a pager by.
struct PagerParameters: Record {
  let id: ItemID?
  let list: String?

  static let fields = Fields(
    PagerParameters.init,
    Field("id", \.id, "The item."),
    Field("list", \.list, "An open list that it is an item of; on its own where nothing is said."))

  static var schema: JSONSchema {
    var schema = JSONSchema(properties: fields.properties)
    schema.properties[0].isRequired = true
    return schema
  }
}
