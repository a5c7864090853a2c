internal import Catalog
internal import Feeds
internal import Nagare
internal import WireJSON

/// A configuration file: where pages come from, and the screens that show them.
struct Configuration: Record {
  let sources: Members<SourceConfiguration>
  let stores: StoreConfigurations
  let screens: Members<ScreenConfiguration>

  static let fields = Fields(
    Configuration.init,
    Field("sources", \.sources, default: Members(), "Where pages come from, by name."),
    Field("stores", \.stores, default: StoreConfigurations(), "What screens have in common, by name."),
    Field("screens", \.screens, "What can be opened, by name."))
}

/// An object whose members' names are the user's own, in their order.
struct Members<Value: JSONValue & Sendable>: JSONValue, Sendable {
  var values: [(name: String, value: Value)] = []
  /// The names of those whose values could not be read.
  private(set) var faulty: [String] = []

  init(_ values: [(name: String, value: Value)] = []) { self.values = values }

  init(json: RawJSON) throws(DecodingFailure) {
    for (name, value) in json.members { values.append((name, try Value(json: value))) }
  }

  static func decode(_ json: RawJSON, in context: inout DecodingContext) -> Members? {
    guard json.kind == .object else {
      context.report(DecodingFailure(expected: "an object", in: json))
      return nil
    }
    var members = Members()
    for (name, json) in json.members {
      guard let value = context.within(name, { Value.decode(json, in: &$0) }) else {
        members.faulty.append(name)
        continue
      }
      if members.values.contains(where: { $0.name == name }) {
        context.report(DecodingFailure(expected: "given once", in: json, path: [name]))
      }
      members.values.append((name, value))
    }
    return members
  }

  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    for (name, value) in values {
      writer.key(name)
      value.write(to: &writer)
    }
    writer.endObject()
  }

  static var schema: JSONSchema {
    var schema = JSONSchema(type: .object)
    schema.additionalProperties = Value.schema
    return schema
  }

  subscript(name: String) -> Value? { values.last { $0.name == name }?.value }
}

/// A source of pages, by its `type`.
enum SourceConfiguration: Sendable {
  case demo(DemoSourceConfiguration)
  case file(FileSourceConfiguration)
  case client(ClientSourceConfiguration)
}

struct DemoSourceConfiguration: Record, Sendable {
  let type: String
  let data: DemoData

  static let fields = Fields(
    DemoSourceConfiguration.init,
    Field("type", \.type),
    Field("data", \.data, default: .mails, "What is made up."))
}

struct FileSourceConfiguration: Record, Sendable {
  let type: String
  let path: String
  let id: String

  static let fields = Fields(
    FileSourceConfiguration.init,
    Field("type", \.type),
    Field("path", \.path, "Where the file is, from the configuration's folder."),
    Field("id", \.id, default: "id", "The member of an item that is its id."))
}

struct ClientSourceConfiguration: Record, Sendable {
  let type: String
  let id: String

  static let fields = Fields(
    ClientSourceConfiguration.init,
    Field("type", \.type),
    Field("id", \.id, default: "id", "The member of an item that is its id."))
}

extension SourceConfiguration: Tagged {
  static let tag = "type"

  static let kinds: [Kind<SourceConfiguration>] = [
    Kind("demo", DemoSourceConfiguration.self) { .demo($0) },
    Kind("file", FileSourceConfiguration.self) { .file($0) },
    Kind("client", ClientSourceConfiguration.self) { .client($0) },
  ]

  /// The member of an item that is its id.
  var id: String {
    switch self {
    case .demo: "id"
    case .file(let file): file.id
    case .client(let client): client.id
    }
  }

  var content: any JSONEncodable {
    switch self {
    case .demo(let content): content
    case .file(let content): content
    case .client(let content): content
    }
  }
}

/// A screen, by its `viewModel`.
enum ScreenConfiguration: Sendable {
  case list(ListConfiguration)
  case pager(PagerConfiguration)
  case choice(ChoiceConfiguration)
  case feed(FeedConfiguration)
  case task(TasksConfiguration)
}

struct ListConfiguration: Record, Sendable {
  let viewModel: String
  let source: Reference
  let pageSize: PageSize
  let throttle: Milliseconds
  let onRefresh: ListState.OnRefresh
  let detail: Reference?

  static let fields = Fields(
    ListConfiguration.init,
    Field("viewModel", \.viewModel),
    Field("source", \.source, "Where its pages come from: a name among the sources."),
    Field("pageSize", \.pageSize, default: PageSize(count: 20), "How many items a page has."),
    Field(
      "throttle", \.throttle, default: Milliseconds(1000),
      "Milliseconds in which a second reachBottom is dropped."),
    Field("onRefresh", \.onRefresh, default: .clear, "Whether a refresh empties the list at once."),
    Field("detail", \.detail, "The screen that select opens: a name among the screens."))
}

extension ListConfiguration {
  /// A list that behaves as lists usually do.
  init(source: String, detail: String) {
    self.init(
      viewModel: "list", source: Reference(name: source), pageSize: PageSize(count: 20),
      throttle: Milliseconds(1000), onRefresh: .clear, detail: Reference(name: detail))
  }
}

struct PagerConfiguration: Record, Sendable {
  let viewModel: String

  static let fields = Fields(PagerConfiguration.init, Field("viewModel", \.viewModel))
}

extension ScreenConfiguration: Tagged {
  static let tag = "viewModel"

  static let kinds: [Kind<ScreenConfiguration>] = [
    Kind("list", ListConfiguration.self) { .list($0) },
    Kind("pager", PagerConfiguration.self) { .pager($0) },
    Kind("choice", ChoiceConfiguration.self) { .choice($0) },
    Kind("feed", FeedConfiguration.self) { .feed($0) },
    Kind("task", TasksConfiguration.self) { .task($0) },
  ]

  var content: any JSONEncodable {
    switch self {
    case .list(let content): content
    case .pager(let content): content
    case .choice(let content): content
    case .feed(let content): content
    case .task(let content): content
    }
  }
}
