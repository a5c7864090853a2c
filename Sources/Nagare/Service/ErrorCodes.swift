public import RPC

extension RPCError.Code {
  /// No view with that name is open.
  public static let noSuchView = RPCError.Code(rawValue: -32001)
  /// No screen has that name.
  public static let noSuchScreen = RPCError.Code(rawValue: -32002)
  /// A view with that name is already open.
  public static let viewTaken = RPCError.Code(rawValue: -32003)

  /// All errors of the protocol, each with its name and a sentence on its meaning.
  static let all: [(code: RPCError.Code, name: String, summary: String)] = [
    (.parseError, "parseError", "The message isn't JSON or UTF-8, is nested too deeply, or has a broken header."),
    (.invalidRequest, "invalidRequest", "The message isn't a JSON-RPC request, or came after shutdown."),
    (.methodNotFound, "methodNotFound", "The method doesn't exist, or the view has no such input."),
    (
      .invalidParams, "invalidParams",
      "A parameter is missing, has the wrong type, or names an item that isn't listed."
    ),
    (.internalError, "internalError", "The server failed."),
    (.requestCancelled, "requestCancelled", "The request was cancelled."),
    (.noSuchView, "noSuchView", "No view with this name is open."),
    (.noSuchScreen, "noSuchScreen", "No screen has this name."),
    (.viewTaken, "viewTaken", "A view with this name is open already."),
    (.limitPassed, "limitPassed", "A limit was exceeded."),
  ]
}
