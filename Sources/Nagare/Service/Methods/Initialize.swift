internal import RPC
internal import WireJSON

/// Receives the client's name and capabilities, and returns the server's.
struct Initialize: ParameterizedMethod {
  static var name: String { "initialize" }
  static var summary: String { "Introduces the client and its capabilities. Optional: every method works without it." }
  static var result: JSONSchema? { InitializeResult.schema }
  static var errors: [RPCError.Code] { [.invalidRequest, .invalidParams] }

  let protocolVersion: String
  let client: Identity?
  let processId: Int?
  let capabilities: ClientCapabilities?

  static let fields = Fields(
    Initialize.init,
    Field("protocolVersion", \.protocolVersion, "The version of the protocol that the client speaks: \"1\"."),
    Field("client", \.client, "The client's name and version, for the log."),
    Field("processId", \.processId, "The id of a process. The server ends when that process ends."),
    Field("capabilities", \.capabilities, "The client's capabilities."))

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
    Field("deltas", \.deltas, "Whether the client receives changes of items as splices."),
    Field("windows", \.windows, "Whether the client can show windows of lists."),
    Field("present", \.present, "Whether the client presents tasks to the user."),
    Field("sources", \.sources, "The names of the sources that the client provides."))
}

private struct InitializeResult: Record {
  let protocolVersion: String
  let server: Identity
  let capabilities: ServerCapabilities
  let limits: EffectiveLimits

  static let fields = Fields(
    InitializeResult.init,
    Field("protocolVersion", \.protocolVersion, "The version of the protocol that the server speaks."),
    Field("server", \.server, "The server's name and version."),
    Field("capabilities", \.capabilities, "The server's capabilities."),
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
    Field("messageSize", \.messageSize, "The maximum size of a message, in bytes."),
    Field("depth", \.depth, "The maximum nesting of arrays and objects. The message itself counts as one."),
    Field("batch", \.batch, "The maximum number of messages in a batch."),
    Field(
      "batchAnswer", \.batchAnswer,
      "The size of a batch's response, in bytes, after which further requests of the batch are refused."),
    Field("views", \.views, "The maximum number of open views."))
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
    Field("deltas", \.deltas, "Whether the server can send changes of items as splices."),
    Field("windows", \.windows, "Whether the server can send windows of lists."),
    Field("virtualClock", \.virtualClock, "Whether the clock is virtual, so that clock/advance moves the time."))
}
