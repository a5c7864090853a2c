internal import WireJSON

// The parameters, results and error data of the session's methods (section 3 of the specification).

struct InitializeParams: Record {
  let protocolVersion: String
  let client: Identity?
  let processId: Int?
  let capabilities: ClientCapabilities?

  static let fields = Fields(
    InitializeParams.init,
    Field("protocolVersion", \.protocolVersion, "The version of the protocol that the client speaks: \"1\"."),
    Field("client", \.client, "Who the client is, for the log."),
    Field("processId", \.processId, "The process with whose death the server ends."),
    Field("capabilities", \.capabilities, "What the client can do."))
}

struct InitializeResult: Record {
  let protocolVersion: String
  let server: Identity
  let capabilities: ServerCapabilities

  static let fields = Fields(
    InitializeResult.init,
    Field("protocolVersion", \.protocolVersion, "The version of the protocol that is spoken."),
    Field("server", \.server, "Who the server is."),
    Field("capabilities", \.capabilities, "What the server can do."))
}

struct Identity: Record {
  let name: String?
  let version: String?

  static let fields = Fields(Identity.init, Field("name", \.name), Field("version", \.version))
}

struct ClientCapabilities: Record {
  let deltas: Bool?
  let present: Bool?
  let sources: [String]?

  static let fields = Fields(
    ClientCapabilities.init,
    Field("deltas", \.deltas, "Whether items are said as splices."),
    Field("present", \.present, "Whether tasks can be presented."),
    Field("sources", \.sources, "The names of the sources that the client answers for."))
}

struct ServerCapabilities: Record {
  let deltas: Bool
  let virtualClock: Bool

  static let fields = Fields(
    ServerCapabilities.init,
    Field("deltas", \.deltas, "Whether items can be said as splices."),
    Field("virtualClock", \.virtualClock, "Whether time is moved by clock/advance."))
}

struct ScreensResult: Record {
  let screens: [ScreenDescription]

  static let fields = Fields(ScreensResult.init, Field("screens", \.screens, "What can be opened."))
}

struct ScreenDescription: Record {
  let screen: String
  let viewModel: String
  let inputs: [String]
  let outputs: [String]

  static let fields = Fields(
    ScreenDescription.init,
    Field("screen", \.screen, "The name to open it by."),
    Field("viewModel", \.viewModel, "The kind of view model."),
    Field("inputs", \.inputs, "The methods that a view of it has."),
    Field("outputs", \.outputs, "The notifications that a view of it says."))
}

struct OpenParams: Record {
  let screen: String
  let view: String?
  let params: RawJSON?

  static let fields = Fields(
    OpenParams.init,
    Field("screen", \.screen, "The screen to open."),
    Field("view", \.view, "A name for the view; the next free v1, v2… where nothing is said."),
    Field("params", \.params, "Parameters of the screen that this view has its own way."))
}

struct ViewParams: Record {
  let view: String?

  static let fields = Fields(
    ViewParams.init, Field("view", \.view, "The view; may be left out while just one is open."))
}

struct DispatchParams: Record {
  let action: Action

  static let fields = Fields(DispatchParams.init, Field("action", \.action, "What happened."))
}

struct AdvanceParams: Record {
  let milliseconds: Int

  static let fields = Fields(
    AdvanceParams.init, Field("milliseconds", \.milliseconds, "How far the virtual clock goes on."))
}

struct AdvanceResult: Record {
  let now: Int

  static let fields = Fields(AdvanceResult.init, Field("now", \.now, "Milliseconds since the start."))
}

/// The `data` of ``RPCError/Code/noSuchScreen``.
struct KnownScreens: Record, Sendable {
  let screens: [String]

  static let fields = Fields(KnownScreens.init, Field("screens", \.screens))
}

/// The `data` of ``RPCError/Code/noSuchView``.
struct OpenViews: Record, Sendable {
  let views: [String]

  static let fields = Fields(OpenViews.init, Field("views", \.views))
}

/// The `data` of ``RPCError/Code/methodNotFound`` where a view was meant.
struct KnownInputs: Record, Sendable {
  let view: String
  let inputs: [String]

  static let fields = Fields(KnownInputs.init, Field("view", \.view), Field("inputs", \.inputs))
}
