internal import WireJSON

/// The members of a message that JSON-RPC 2.0 knows (sections 4 and 5), as slices of the message.
struct Envelope {
  static let names = MemberNames("jsonrpc", "id", "method", "params", "result", "error")

  private let text: [UInt8]
  private let start: Int
  private let scan: MemberScan

  /// A message that was checked.
  ///
  /// - Parameters:
  ///   - text: the bytes that hold it.
  ///   - start: where in them the scanned part starts.
  ///   - scan: what was found in it, for ``names``.
  init(_ text: [UInt8], from start: Int, _ scan: MemberScan) {
    self.text = text
    self.start = start
    self.scan = scan
  }

  private func member(_ index: Int) -> RawJSON? {
    scan[index].map { RawJSON(trusting: text, start + $0.lowerBound..<start + $0.upperBound) }
  }

  private var isVersion2: Bool { member(0)?.string == "2.0" }
  private var id: RawJSON? { member(1) }
  private var params: RawJSON? { member(3) }

  /// What a message turns out to be.
  enum Meaning {
    case call(Call)
    case response(id: RawJSON, Result<RawJSON, RPCError>)
    /// Not to be used; answered with the error, or not at all where nobody waits.
    case invalid(RPCError, id: RawJSON?)
    case ignored
  }

  /// Reads the message as the rules of the protocol say.
  var meaning: Meaning {
    guard scan.kind == .object else {
      return .invalid(RPCError(.invalidRequest, "a message must be an object"), id: nil)
    }
    guard let method = member(2) else { return response }
    guard let name = method.string else { return invalid("'method' must be a string") }
    guard let id else { return isVersion2 ? notification(name) : .ignored }
    guard isVersion2 else { return invalid("'jsonrpc' must be \"2.0\"") }
    guard Envelope.isUsable(id) else { return invalid("'id' must be a string, a number or null") }
    switch params?.kind {
    case nil, .null?: return .call(Call(method: name, params: nil, id: id))
    case .object?: return .call(Call(method: name, params: params, id: id))
    case .array?:
      if params?.isEmptyArray == true { return .call(Call(method: name, params: nil, id: id)) }
      let data = ParameterFault(param: "params", expected: "an object")
      return .invalid(RPCError(.invalidParams, "params are given by name, in an object", data: data), id: id)
    default: return invalid("'params' must be an object")
    }
  }

  private func notification(_ name: String) -> Meaning {
    switch params?.kind {
    case nil, .null?: .call(Call(method: name, params: nil, id: nil))
    case .object?: .call(Call(method: name, params: params, id: nil))
    case .array?: params?.isEmptyArray == true ? .call(Call(method: name, params: nil, id: nil)) : .ignored
    default: .ignored
    }
  }

  private var response: Meaning {
    let (result, error) = (member(4), member(5))
    guard result != nil || error != nil else { return invalid("a request needs a 'method'") }
    guard let id, id.kind == .number || id.kind == .string else { return .ignored }
    if let error { return .response(id: id, .failure(RPCError(reading: error))) }
    return result.map { .response(id: id, .success($0)) } ?? .ignored
  }

  private func invalid(_ message: String) -> Meaning {
    .invalid(RPCError(.invalidRequest, message), id: id.flatMap { Envelope.isUsable($0) ? $0 : nil })
  }

  private static func isUsable(_ id: RawJSON) -> Bool { id.kind == .string || id.kind == .number || id.kind == .null }
}

extension RPCError {
  /// Reads the error object of an answer, as far as it is one.
  init(reading error: RawJSON) {
    self.init(
      code: error.member("code")?.int ?? Code.internalError.rawValue,
      message: error.member("message")?.string ?? "an error without a message",
      data: error.member("data"))
  }
}

extension RawJSON {
  var isEmptyArray: Bool { kind == .array && elements.first { _ in true } == nil }
}
