internal import RPC
internal import WireJSON

/// A method of the session: its name, its parameters, its result, and its implementation.
protocol SessionMethod: SendableMetatype {
  static var name: String { get }
  /// A sentence on what the method does.
  static var summary: String { get }
  static var params: JSONSchema { get }
  /// The schema of the result; nil for a notification, which has no answer.
  static var result: JSONSchema? { get }
  /// The names of all parameters if one of them names a view; otherwise nil. Other parameters of such a call are
  /// reported.
  static var names: ParameterNames? { get }
  /// The errors specific to this method, without those that any method can have.
  static var errors: [RPCError.Code] { get }

  static func run(_ call: Call, in service: Service) throws(RPCError) -> Answer
}

extension SessionMethod {
  static var params: JSONSchema { JSONSchema(properties: []) }
  static var result: JSONSchema? { JSONSchema(properties: []) }
  static var names: ParameterNames? { nil }
  static var errors: [RPCError.Code] { [] }
}

/// A method whose stored properties are its parameters.
protocol ParameterizedMethod: SessionMethod, Record {
  func run(in service: Service) throws(RPCError) -> Answer
}

extension ParameterizedMethod {
  static var params: JSONSchema { schema }

  static func run(_ call: Call, in service: Service) throws(RPCError) -> Answer {
    try Self(params: call.params).run(in: service)
  }
}

extension Service {
  /// The session's methods, in the order in which they are described.
  static let sessionMethods: [any SessionMethod.Type] = [
    Initialize.self, Screens.self, Open.self, CurrentOutputs.self, Close.self, Dispatch.self, Ping.self, Discover.self,
    AdvanceClock.self, SourceChanged.self, SourceProgress.self, Shutdown.self, Exit.self,
  ]
}
