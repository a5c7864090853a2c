internal import HTTPSettings
internal import Nagare
internal import PageSources
internal import Paging
internal import WireJSON

/// The configuration of a source. Its field `type` determines the other fields.
enum SourceConfiguration: Sendable {
  case demo(DemoSourceConfiguration)
  case file(FileSourceConfiguration)
  case client(ClientSourceConfiguration)
  case command(CommandSourceConfiguration)
  case http(HTTPSourceConfiguration)
}

struct DemoSourceConfiguration: Record, Sendable {
  let type: String
  let data: DemoData
  var rows: Int?
  var items = false
  var live = false

  static let fields = Fields(
    DemoSourceConfiguration.init,
    Field("type", \.type),
    Field("data", \.data, default: .mails, "The kind of the generated data."),
    Field("rows", \.rows, "The number of mails.").limited(to: .itemCount),
    Field("items", \.items, default: false, SourceCapabilities.itemsSummary),
    Field(
      "live", \.live, default: false,
      "Whether the demo simulates a busy mailbox: mails arrive, are read and are deleted."))

  static func decode(_ json: RawJSON, in context: inout DecodingContext) -> DemoSourceConfiguration? {
    guard let demo = fields.decode(json, in: &context) else { return nil }
    func report(_ member: String, _ expected: String) {
      guard let json = json.member(member) else { return }
      context.report(DecodingFailure(expected: "left out: \(expected)", in: json, path: [member]))
    }
    if demo.live, demo.data != .mails { report("live", "only \"data\": \"mails\" can be live") }
    if demo.rows != nil, demo.data != .mails {
      report("rows", "only \"data\": \"mails\" can have any number of rows")
    }
    if demo.rows != nil, demo.live { report("rows", "the number of rows of a live mailbox can't be chosen") }
    return demo
  }
}

struct FileSourceConfiguration: Record, Sendable {
  let type: String
  let path: String
  let id: String
  var items = false
  var follow = false
  var index = false
  var writes: NoEdits?

  static let fields = Fields(
    FileSourceConfiguration.init,
    Field("type", \.type),
    Field("path", \.path, "The path of the file, relative to the configuration's folder."),
    Field("id", \.id, default: "id", "The field of an item that is its id."),
    Field("items", \.items, default: false, SourceCapabilities.itemsSummary),
    Field("follow", \.follow, default: false, "Whether the list follows the file, and shows lines that are appended."),
    Field(
      "index", \.index, default: false,
      "Whether the index of the file's lines is kept next to it, in a file whose name ends with .nagare-index."),
    Field("writes", \.writes, "An empty array makes the list read-only. By default, it can be edited while it is open.")
  )
}

/// The edits of a source that makes none: an empty array.
struct NoEdits: JSONValue, Sendable {
  init() {}

  init(json: RawJSON) throws(DecodingFailure) {
    guard json.kind == .array, Array(json.elements).isEmpty else {
      throw DecodingFailure(expected: "an empty array, because this source can't make edits", in: json)
    }
  }

  func write(to writer: inout JSONWriter) { [EditKind]().write(to: &writer) }

  static var schema: JSONSchema {
    var schema = JSONSchema(type: .array)
    schema.constant = [EditKind]().json
    return schema
  }
}

struct ClientSourceConfiguration: Record, Sendable {
  let type: String
  let id: String
  let capabilities: SourceCapabilities

  static let fields = Fields(
    ClientSourceConfiguration.init,
    Field("type", \.type),
    Field("id", \.id, default: "id", "The field of an item that is its id."),
    Field(flattening: \.capabilities))
}

struct CommandSourceConfiguration: Record, Sendable {
  let type: String
  let command: CommandWords
  let id: String
  let capabilities: SourceCapabilities

  static let fields = Fields(
    CommandSourceConfiguration.init,
    Field("type", \.type),
    Field("command", \.command, "The program and its arguments. It runs in the configuration's folder."),
    Field("id", \.id, default: "id", "The field of an item that is its id."),
    Field(flattening: \.capabilities))
}

extension SourceConfiguration: Tagged {
  static let tag = "type"

  static let kinds: [Kind<SourceConfiguration>] = [
    Kind("demo", DemoSourceConfiguration.self) { .demo($0) },
    Kind("file", FileSourceConfiguration.self) { .file($0) },
    Kind("client", ClientSourceConfiguration.self) { .client($0) },
    Kind("command", CommandSourceConfiguration.self) { .command($0) },
    Kind("http", HTTPSourceConfiguration.self) { .http($0) },
  ]

  /// The field that is the items' id.
  var id: String {
    switch self {
    case .demo: "id"
    case .file(let file): file.id
    case .client(let client): client.id
    case .http(let http): http.id
    case .command(let command): command.id
    }
  }

  /// Whether the source's lists can't be edited.
  var isReadOnly: Bool {
    switch self {
    case .file(let file): file.writes != nil
    case .client(let client): client.capabilities.isReadOnly
    case .command(let command): command.capabilities.isReadOnly
    case .demo, .http: false
    }
  }

  /// Whether the source provides full items by their ids.
  var givesItems: Bool {
    switch self {
    case .demo(let demo): demo.items
    case .file(let file): file.items
    case .client(let client): client.capabilities.items
    case .command(let command): command.capabilities.items
    case .http: false
    }
  }

  var content: any JSONEncodable {
    switch self {
    case .demo(let content): content
    case .file(let content): content
    case .client(let content): content
    case .http(let content): content
    case .command(let content): content
    }
  }
}
