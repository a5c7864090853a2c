internal import WireJSON

/// The fields of a JSON-RPC 2.0 message (sections 4 and 5), as slices of the message.
struct Envelope: ~Copyable {
  static let names = MemberNames("jsonrpc", "id", "method", "params", "result", "error")

  let text: [UInt8]
  private let start: Int
  private let scan: MemberScan

  /// Makes the envelope of a checked message.
  ///
  /// - Parameters:
  ///   - text: the bytes that contain the message.
  ///   - start: the offset of the scanned range in the bytes.
  ///   - scan: the fields found in the range, by ``names``.
  init(_ text: [UInt8], from start: Int, _ scan: MemberScan) {
    self.text = text
    self.start = start
    self.scan = scan
  }

  private func member(_ index: Int) -> RawJSON? {
    guard let place = scan[index] else { return nil }
    return RawJSON(trusting: text, start + place.lowerBound..<start + place.upperBound)
  }

  private var id: RawJSON? { member(1) }
  private var params: RawJSON? { member(3) }

  private var isVersion2: Bool {
    guard let place = scan[0] else { return false }
    let first = start + place.lowerBound
    // The usual spelling. Escapes could spell it, too.
    if place.count == 5, text[first] == UInt8(ascii: "\""), text[first + 1] == UInt8(ascii: "2"),
      text[first + 2] == UInt8(ascii: "."), text[first + 3] == UInt8(ascii: "0")
    {
      return true
    }
    return member(0)?.wireText == "2.0"
  }

  /// The meaning of a message by the rules of the protocol.
  enum Meaning {
    case call(Call)
    case response(id: RawJSON, Result<RawJSON, RPCError>)
    /// An error with the id null: the other side couldn't read one of our messages.
    case unread(RPCError)
    /// A message that can't be used, and is answered with an error.
    case invalid(RPCError, id: RawJSON?)
    /// A message that has no effect and no response, and why.
    case ignored(String)
  }

  /// The meaning of this message by the rules of the protocol.
  var meaning: Meaning {
    guard scan.kind == .object else {
      return .invalid(RPCError(.invalidRequest, "a message must be an object"), id: nil)
    }
    guard let method = member(2) else { return response }
    guard let name = method.wireText else { return invalid("'method' must be a string") }
    guard let id else { return notification(name) }
    guard isVersion2 else { return invalid(Envelope.wrongVersion) }
    guard Envelope.isUsable(id) else { return invalid("'id' must be a string, a number or null") }
    switch namedParams {
    case .none: return .call(Call(method: name, params: nil, id: id))
    case .named(let params): return .call(Call(method: name, params: params, id: id))
    case .positional:
      let data = ParameterErrorData(param: "params", expected: "an object")
      return .invalid(RPCError(.invalidParams, Envelope.positionalParams, data: data), id: id)
    case .unusable: return invalid(Envelope.unusableParams)
    }
  }

  private static var wrongVersion: String { "'jsonrpc' must be \"2.0\"" }
  private static var positionalParams: String { "params are given by name, in an object" }
  private static var unusableParams: String { "'params' must be an object" }

  private func notification(_ name: WireText) -> Meaning {
    guard isVersion2 else { return .ignored(Envelope.wrongVersion) }
    switch namedParams {
    case .none: return .call(Call(method: name, params: nil, id: nil))
    case .named(let params): return .call(Call(method: name, params: params, id: nil))
    case .positional: return .ignored(Envelope.positionalParams)
    case .unusable: return .ignored(Envelope.unusableParams)
    }
  }

  private enum Params {
    /// Absent, `null` or `[]`: the same as `{}`.
    case none
    case named(RawJSON)
    case positional
    case unusable
  }

  private var namedParams: Params {
    guard let params else { return .none }
    switch params.kind {
    case .null: return .none
    case .object: return .named(params)
    case .array: return params.isEmptyArray ? .none : .positional
    default: return .unusable
    }
  }

  private var response: Meaning {
    let (result, error) = (member(4), member(5))
    guard result != nil || error != nil else { return invalid("a request needs a 'method'") }
    if let error, id?.isNull ?? false { return .unread(RPCError(reading: error.compacted)) }
    guard let id, id.kind == .number || id.kind == .string else {
      return .ignored("a response needs the 'id' of its request")
    }
    // Some programs send `"error":null` next to a result, as in JSON-RPC 1.0.
    if let result, error?.isNull ?? true { return .response(id: id, .success(result.compacted)) }
    return .response(id: id, .failure(RPCError(reading: (error ?? .null).compacted)))
  }

  private func invalid(_ message: String) -> Meaning {
    .invalid(RPCError(.invalidRequest, message), id: id.flatMap { Envelope.isUsable($0) ? $0 : nil })
  }

  private static func isUsable(_ id: RawJSON) -> Bool { id.kind == .string || id.kind == .number || id.kind == .null }
}

extension RPCError {
  /// Reads the error object of a response. Missing or wrong parts get default values.
  init(reading error: RawJSON) {
    self.init(
      code: error.member("code")?.int ?? Code.internalError.rawValue,
      message: error.member("message").flatMap { try? String(json: $0) } ?? "an error without a message",
      data: error.member("data"))
  }
}

extension RawJSON {
  /// The value in separate memory, unless it already takes most of the shared memory. For values that are kept longer
  /// than the input that they were part of.
  var compacted: RawJSON {
    count > storage.capacity / 2 ? self : RawJSON(trusting: Array(bytes), 0..<count)
  }
}
