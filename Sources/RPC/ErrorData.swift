public import WireJSON

/// What is wrong with a parameter: the `data` of ``RPCError/Code/invalidParams``.
public struct ParameterFault: Record, Equatable, Sendable {
  /// The parameter's name.
  public let param: String
  /// What it should have been.
  public let expected: String

  /// Names a parameter and what it should have been.
  public init(param: String, expected: String) {
    self.param = param
    self.expected = expected
  }

  /// Its members.
  public static let fields = Fields(ParameterFault.init, Field("param", \.param), Field("expected", \.expected))
}

/// Where a text stops being JSON: the `data` of ``RPCError/Code/parseError``.
struct ParseFault: Record, Sendable {
  let offset: Int

  static let fields = Fields(ParseFault.init, Field("offset", \.offset, "In bytes from the start of the message."))
}

/// Which limit was passed: the `data` of ``RPCError/Code/limitPassed``.
public struct LimitFault: Record, Sendable {
  /// The limit's name.
  public let limit: String
  /// The most that is allowed, in bytes or pieces.
  public let max: Int

  /// Names a limit and its value.
  public init(limit: String, max: Int) {
    self.limit = limit
    self.max = max
  }

  /// Its members.
  public static let fields = Fields(LimitFault.init, Field("limit", \.limit), Field("max", \.max))
}
