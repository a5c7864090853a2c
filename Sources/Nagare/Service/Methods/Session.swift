internal import Flow
internal import Paging
internal import RPC
internal import WireJSON

/// Dispatches an action to the stores.
struct Dispatch: SessionMethod, Record {
  static var name: String { "dispatch" }
  static var summary: String { "Dispatches an action to the stores." }
  static var params: JSONSchema { JSONSchema(properties: schema.properties + WaitParams.schema.properties) }
  static var result: JSONSchema? { WaitResult.schema }
  static var errors: [RPCError.Code] { [.invalidParams] }

  let action: AnyAction

  static let fields = Fields(Dispatch.init, Field("action", \.action, "What happened."))

  static func run(_ call: Call, in service: Service) throws(RPCError) -> Answer {
    let action = try Dispatch(params: call.params).action
    return try service.answer(to: call, wait: call.params?.member("wait")) { over throws(RPCError) in
      let waiting = over.map(WaitingCall.init)
      waiting?.hold()
      try service.dispatcher.dispatch(action, for: waiting)
      waiting?.release()
    }
  }
}

enum Ping: SessionMethod {
  static var name: String { "ping" }
  static var summary: String { "Does nothing." }

  static func run(_ call: Call, in service: Service) -> Answer { .empty }
}

struct Discover: ParameterizedMethod {
  static var name: String { "rpc.discover" }
  static var summary: String { "This document." }
  static var errors: [RPCError.Code] { [.invalidParams] }
  static var result: JSONSchema? { JSONSchema(type: .object) }

  let members: [DiscoveryDocument.Member]?

  static let fields = Fields(
    Discover.init,
    Field("members", \.members, "The fields of the document to return; all by default."))

  func run(in service: Service) throws(RPCError) -> Answer {
    do throws(EncodingFailure) {
      let document = Discovery(service).document(of: members ?? DiscoveryDocument.Member.allCases)
      return .result(try RawJSON(encoding: document).write)
    } catch {
      throw RPCError(.internalError, error.message)
    }
  }
}

/// Receives the changes of a source that the client provides.
struct SourceChanged: SessionMethod {
  static var name: String { "source/changed" }
  static var summary: String { "Reports changes of a source that the server watches." }
  static var params: JSONSchema { SourceChangedParams.schema }
  static var result: JSONSchema? { nil }

  static func run(_ call: Call, in service: Service) -> Answer {
    if let params = call.params, let source = params.member("source")?.string {
      service.onSourceChange[WireText(source)]?(params)
    }
    return .empty
  }
}

/// Receives the progress of a request to a source that the client provides.
struct SourceProgress: SessionMethod {
  static var name: String { "source/progress" }
  static var summary: String { "Reports the progress of a request that the server sent." }
  static var params: JSONSchema { SourceProgressParams.schema }
  static var result: JSONSchema? { nil }

  static func run(_ call: Call, in service: Service) throws(RPCError) -> Answer {
    _ = try SourceProgressParams(params: call.params)
    service.peer.tellProgress(call.params ?? .emptyObject)
    return .empty
  }
}

/// Moves the virtual clock.
struct AdvanceClock: SessionMethod, Record {
  static var name: String { "clock/advance" }
  static var summary: String {
    "Moves the virtual clock. The response comes after everything that happens in that time."
  }
  static var result: JSONSchema? { Advanced.schema }
  static var params: JSONSchema { schema }
  static var errors: [RPCError.Code] { [.invalidParams] }

  let milliseconds: Int

  static let fields = Fields(
    AdvanceClock.init, Field("milliseconds", \.milliseconds, "By how much the virtual clock moves."))

  static func run(_ call: Call, in service: Service) throws(RPCError) -> Answer {
    guard let clock = service.clock as? VirtualScheduler else {
      let remedy = "the clock is real; only a virtual clock can be moved, as with nagare --clock virtual"
      throw RPCError(.methodNotFound, "no method \"clock/advance\": \(remedy)")
    }
    let milliseconds = try AdvanceClock(params: call.params).milliseconds
    let latest = RawJSON.quantities.upperBound
    guard (0...latest - clock.now.wholeMilliseconds).contains(milliseconds) else {
      throw RPCError("milliseconds", mustBe: "a whole number, 0 or more, after which the clock is at \(latest) at most")
    }
    clock.run(until: clock.now + .milliseconds(milliseconds), afterEach: service.endStep)
    return .result(Advanced(now: clock.now.wholeMilliseconds).write)
  }
}

private struct Advanced: Record {
  let now: Int

  static let fields = Fields(Advanced.init, Field("now", \.now, "The time since the start, in milliseconds."))
}

extension Duration {
  /// The whole milliseconds of the duration, rounded down.
  fileprivate var wholeMilliseconds: Int {
    Int(components.seconds) * 1000 + Int(components.attoseconds / 1_000_000_000_000_000)
  }
}

enum Shutdown: SessionMethod {
  static var name: String { "shutdown" }
  static var summary: String { "Ends the session. After that, only exit is accepted." }

  static func run(_ call: Call, in service: Service) -> Answer {
    service.phase = .shutDown
    return .empty
  }
}

enum Exit: SessionMethod {
  static var name: String { "exit" }
  static var summary: String { "Ends the process." }
  static var result: JSONSchema? { nil }

  static func run(_ call: Call, in service: Service) -> Answer {
    service.onExit(service.phase == .shutDown)
    return .empty
  }
}
