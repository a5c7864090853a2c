internal import RPC
internal import WireJSON

/// Tells who the client is, and answers what the server can do.
struct Initialize: ParameterizedMethod {
  static var name: String { "initialize" }
  static var summary: String { "Says who the client is and what it can do; every method works without it." }
  static var result: JSONSchema? { InitializeResult.schema }
  static var errors: [RPCError.Code] { [.invalidRequest, .invalidParams] }

  let protocolVersion: String
  let client: Identity?
  let processId: Int?
  let capabilities: ClientCapabilities?

  static let fields = Fields(
    Initialize.init,
    Field("protocolVersion", \.protocolVersion, "The version of the protocol that the client speaks: \"1\"."),
    Field("client", \.client, "Who the client is, for the log."),
    Field("processId", \.processId, "The process with whose death the server ends."),
    Field("capabilities", \.capabilities, "What the client can do."))

  func run(in service: Service) throws(RPCError) -> Answer {
    if service.client.isInitialized { throw RPCError(.invalidRequest, "initialize was called already") }
    service.client.isInitialized = true
    service.client.takesDeltas = capabilities?.deltas ?? false
    service.client.takesWindows = capabilities?.windows ?? false
    service.client.presentsTasks = capabilities?.present ?? false
    service.client.sources = Set((capabilities?.sources ?? []).map { WireText($0) })
    if let processId { service.onParentProcess(processId) }
    let result = InitializeResult(
      protocolVersion: Service.protocolVersion, server: Identity(name: "nagare", version: Service.version),
      capabilities: ServerCapabilities(
        deltas: true, windows: capabilities?.windows, virtualClock: service.hasVirtualClock),
      limits: EffectiveLimits(service))
    return .result(result.write)
  }
}

struct Identity: Record {
  let name: String?
  let version: String?

  static let fields = Fields(Identity.init, Field("name", \.name), Field("version", \.version))
}

struct ClientCapabilities: Record {
  let deltas: Bool?
  let windows: Bool?
  let present: Bool?
  let sources: [String]?

  static let fields = Fields(
    ClientCapabilities.init,
    Field("deltas", \.deltas, "Whether items are sent as splices."),
    Field("windows", \.windows, "Whether it may hold a part of a list."),
    Field("present", \.present, "Whether tasks can be presented."),
    Field("sources", \.sources, "The names of the sources that the client answers for."))
}

private struct InitializeResult: Record {
  let protocolVersion: String
  let server: Identity
  let capabilities: ServerCapabilities
  let limits: EffectiveLimits

  static let fields = Fields(
    InitializeResult.init,
    Field("protocolVersion", \.protocolVersion, "The version of the protocol that is spoken."),
    Field("server", \.server, "Who the server is."),
    Field("capabilities", \.capabilities, "What the server can do."),
    Field("limits", \.limits, "The limits in effect."))
}

private struct EffectiveLimits: Record {
  let messageSize: Int
  let depth: Int
  let batch: Int
  let batchAnswer: Int
  let views: Int

  static let fields = Fields(
    EffectiveLimits.init,
    Field("messageSize", \.messageSize, "The most bytes of a message."),
    Field("depth", \.depth, "The deepest nesting of arrays and objects, the message itself counted as one."),
    Field("batch", \.batch, "The most messages of a batch."),
    Field("batchAnswer", \.batchAnswer, "The bytes of the answer to a batch from which on it grows by refusals alone."),
    Field("views", \.views, "The most open views."))
}

extension EffectiveLimits {
  init(_ service: Service) {
    let message = service.peer.limits
    self.init(
      messageSize: message.messageSize, depth: message.nesting, batch: message.batch, batchAnswer: message.batchAnswer,
      views: service.limits.views)
  }
}

private struct ServerCapabilities: Record {
  let deltas: Bool
  let windows: Bool?
  let virtualClock: Bool

  static let fields = Fields(
    ServerCapabilities.init,
    Field("deltas", \.deltas, "Whether items can be sent as splices."),
    Field("windows", \.windows, "Whether lists can be seen through windows, to a client that may hold a part."),
    Field("virtualClock", \.virtualClock, "Whether time is moved by clock/advance."))
}
