package import WireJSON

/// What is wrong with a parameter: the `data` of ``RPCError/Code/invalidParams``.
package struct ParameterErrorData: Record, Sendable {
  /// The parameter's name.
  package let param: String
  /// What it should have been.
  package let expected: String

  /// Names a parameter and what it should have been.
  package init(param: String, expected: String) {
    self.param = param
    self.expected = expected
  }

  /// Its members.
  package static let fields = Fields(ParameterErrorData.init, Field("param", \.param), Field("expected", \.expected))
}

/// Where a text stops being JSON: the `data` of ``RPCError/Code/parseError``.
struct ParseErrorData: Record, Sendable {
  let offset: Int

  static let fields = Fields(ParseErrorData.init, Field("offset", \.offset, "In bytes from the start of the message."))
}

/// Which limit was passed: the `data` of ``RPCError/Code/limitPassed``.
package struct LimitErrorData: Record, Sendable {
  /// The limit's name.
  package let limit: String
  /// The most that is allowed, in bytes or pieces.
  package let max: Int

  /// Names a limit and its value.
  package init(limit: String, max: Int) {
    self.limit = limit
    self.max = max
  }

  /// Its members.
  package static let fields = Fields(LimitErrorData.init, Field("limit", \.limit), Field("max", \.max))
}
