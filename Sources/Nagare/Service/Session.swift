internal import RPC
internal import WireJSON

// The parameters of the session's methods (section 3 of the specification).

struct InitializeParams: Record {
  struct Client: Record {
    let name: String
    let version: String?

    static var fields: Fields<Client> {
      Fields(Client.init, Field("name", \.name), Field("version", \.version))
    }
  }

  struct Capabilities: Record {
    let deltas: Bool?
    let present: Bool?
    let sources: [String]?

    static var fields: Fields<Capabilities> {
      Fields(
        Capabilities.init,
        Field("deltas", \.deltas, "Whether items are said as splices."),
        Field("present", \.present, "Whether tasks can be presented."),
        Field("sources", \.sources, "The names of the sources that the client answers for."))
    }
  }

  let protocolVersion: String
  let client: Client?
  let processId: Int?
  let capabilities: Capabilities?

  static var fields: Fields<InitializeParams> {
    Fields(
      InitializeParams.init,
      Field("protocolVersion", \.protocolVersion, "The version of the protocol that the client speaks: \"1\"."),
      Field("client", \.client, "Who the client is, for the log."),
      Field("processId", \.processId, "The process with whose death the server ends."),
      Field("capabilities", \.capabilities, "What the client can do."))
  }
}

struct OpenParams: Record {
  let screen: String
  let view: String?
  let params: RawJSON?

  static var fields: Fields<OpenParams> {
    Fields(
      OpenParams.init,
      Field("screen", \.screen, "The screen to open."),
      Field("view", \.view, "A name for the view; the next free v1, v2… where nothing is said."),
      Field("params", \.params, "Parameters of the screen that this view has its own way."))
  }
}

struct ViewParams: Record {
  let view: String?

  static var fields: Fields<ViewParams> {
    Fields(ViewParams.init, Field("view", \.view, "The view; may be left out while just one is open."))
  }
}

struct AdvanceParams: Record {
  let milliseconds: Int

  static var fields: Fields<AdvanceParams> {
    Fields(AdvanceParams.init, Field("milliseconds", \.milliseconds, "How far the virtual clock goes on."))
  }
}
