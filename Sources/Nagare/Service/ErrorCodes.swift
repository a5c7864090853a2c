public import RPC

extension RPCError.Code {
  /// No view of that name is open.
  public static let noSuchView = RPCError.Code(rawValue: -32001)
  /// No screen has that name.
  public static let noSuchScreen = RPCError.Code(rawValue: -32002)
  /// A view of that name is open already.
  public static let viewTaken = RPCError.Code(rawValue: -32003)

  /// All errors that the protocol knows, each with its name and one sentence on what it means.
  static let all: [(code: RPCError.Code, name: String, summary: String)] = [
    (.parseError, "parseError", "Not JSON, not UTF-8, too deep, or a broken header."),
    (.invalidRequest, "invalidRequest", "JSON, but not a request; or a request after shutdown."),
    (.methodNotFound, "methodNotFound", "No such method, or the view has no such input."),
    (
      .invalidParams, "invalidParams",
      "A parameter is missing or of the wrong type, or names an item that isn't there."
    ),
    (.internalError, "internalError", "An error of the server."),
    (.requestCancelled, "requestCancelled", "The request was cancelled."),
    (.noSuchView, "noSuchView", "No view of that name is open."),
    (.noSuchScreen, "noSuchScreen", "No screen has that name."),
    (.viewTaken, "viewTaken", "A view of that name is open already."),
    (.limitPassed, "limitPassed", "A limit was passed."),
  ]
}
