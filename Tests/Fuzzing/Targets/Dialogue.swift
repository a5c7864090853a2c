internal import RPC
internal import WireJSON

/// The output of a peer.
struct Said {
  /// Each response with its id as it was written. Responses in batches count separately.
  private(set) var answers: [(id: String, RawJSON)] = []
  private(set) var calls: [RawJSON] = []

  /// Parses the output of a peer, which must consist of complete JSON-RPC 2.0 messages in its framing.
  init(_ output: [UInt8], in framing: Framing?) throws(Finding) {
    var rest = output[...]
    while !rest.isEmpty {
      let body = framing == .headers ? try Said.body(&rest) : try Said.line(&rest)
      let (message, error) = readJSON(body)
      try take(require(message, "\(error.map { "\($0)" } ?? ""): \(String(decoding: body, as: UTF8.self))"))
    }
  }

  private static func line(_ rest: inout ArraySlice<UInt8>) throws(Finding) -> [UInt8] {
    let end = try require(rest.firstIndex(of: UInt8(ascii: "\n")), "the last line has no end")
    defer { rest = rest[(end + 1)...] }
    return Array(rest[..<end])
  }

  private static func body(_ rest: inout ArraySlice<UInt8>) throws(Finding) -> [UInt8] {
    let end = try require(rest.firstIndex(of: UInt8(ascii: "\r")), "no header")
    let header = String(decoding: rest[..<end], as: UTF8.self)
    let count = header.hasPrefix("Content-Length: ") ? Int(header.dropFirst(16)) : nil
    rest = rest[end...]
    guard let count, rest.starts(with: "\r\n\r\n".utf8), rest.count >= 4 + count else {
      throw Finding("a message behind \(header)")
    }
    defer { rest = rest.dropFirst(4 + count) }
    return Array(rest.dropFirst(4).prefix(count))
  }

  private mutating func take(_ message: RawJSON) throws(Finding) {
    if message.kind == .array {
      try require(message.elements.contains { _ in true }, "an empty batch of answers")
      for answer in message.elements {
        try require(answer.member("method") == nil, "a call among answers: \(message)")
        try take(answer)
      }
      return
    }
    try require(message.member("jsonrpc")?.string == "2.0", "no version: \(message)")
    let names = message.members.map(\.key)
    if message.member("method") != nil {
      try require(
        names == ["jsonrpc", "method", "params"] || names == ["jsonrpc", "id", "method", "params"], "a call: \(message)"
      )
      try require(message.member("params")?.kind == .object, "params: \(message)")
      return calls.append(message)
    }
    let id = try require(message.member("id"), "an answer without an id: \(message)")
    answers.append((id.text, message))
    if let error = message.member("error") {
      try require(error.member("code")?.int != nil && error.member("message")?.string != nil, "an error: \(message)")
      try require(names == ["jsonrpc", "id", "error"], "an error: \(message)")
    } else {
      try require(names == ["jsonrpc", "id", "result"], "an answer: \(message)")
      try require(message.member("result")?.kind == .object, "a result: \(message)")
    }
  }
}

func readJSON(_ bytes: [UInt8], maxDepth: Int = 512) -> (RawJSON?, JSONError?) {
  do throws(JSONError) { return (try RawJSON(validating: bytes, maxDepth: maxDepth), nil) } catch {
    return (nil, error)
  }
}

extension Peer {
  /// Receives a line, and handles it.
  func take(line: String) { take("\(line)\n".utf8) }

  /// Receives bytes, and handles the complete messages.
  func take(_ piece: some Sequence<UInt8>) {
    receive(Array(piece).span)
    while handleNext() {}
  }

  /// Writes up to `most` bytes of the output, and returns them.
  func said(atMost most: Int = .max) -> [UInt8] {
    var output: [UInt8] = []
    while !backlog.isEmpty, output.count < most {
      write { bytes in
        let count = Swift.min(bytes.count, most - output.count)
        output.append(addingCapacity: count) { $0.append(copying: bytes.extracting(..<count)) }
        return count
      }
    }
    return output
  }
}

/// Messages of clients, for the targets that read messages.
enum Messages {
  static let lines = [
    #"{"jsonrpc":"2.0","id":1,"method":"ping"}"#,
    #"{"jsonrpc":"2.0","id":"ü","method":"echo","params":{"a":"\u00fc\n"}}"#,
    #"{"jsonrpc":"2.0","method":"say","params":{"id":1,"a":[true]}}"#,
    #"{"jsonrpc":"2.0","id":"a\"b","method":"later","params":{}}"#,
    #"{"jsonrpc":"2.0","id":-0,"method":"ask"}"#,
    #"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":"a\"b"}}"#,
    #"{"jsonrpc":"2.0","id":1,"result":{"a":1}}"#,
    #"{"jsonrpc":"2.0","id":2,"error":{"code":7,"message":"no"}}"#,
    #"[{"jsonrpc":"2.0","id":3,"method":"ping"},1,{"jsonrpc":"2.0","id":null,"method":"later"},{"method":"say"}]"#,
    #"{"jsonrpc":"2.0","id":7,"method":"ping"}"#, #"{"jsonrpc":"2.0","id":8,"method":"ping"}"#, "[]", "broken",
    #"{"id":1.50,"params":[1],"method":"fail","jsonrpc":"2.0"}"#,
  ]

  /// Conversations in both framings.
  static let conversations = [
    lines.joined(separator: "\n"), "\u{FEFF} " + lines.joined(separator: "\r\n") + "\r\n",
    "\r\n" + lines.map { "Content-Length: \($0.utf8.count)\r\n\r\n\($0)" }.joined(),
    lines.map { "content-length:\($0.utf8.count)\nX: y\n\n\($0)" }.joined(separator: "oh!\n{bad\n"),
    lines[9] + "\n" + lines[10] + "\n" + lines[9] + "\n",
    "{\(String(repeating: "x", count: 300))\n" + lines[0],
    "Content-Length: 2\r\n\r\n{}Content-Length: 900\r\n\r\n" + String(repeating: "[", count: 900)
      + "Content-Length: 9\r\n",
  ]

  static let words =
    lines + lines.map { "Content-Length: \($0.utf8.count)\r\n\r\n\($0)" } + [
      "\n", "\r\n", "\r\n\r\n", "Content-Length: ", "Content-Length: 40\r\n\r\n", ":", "\u{FEFF}", "{", "}", "[", "]",
      ",",
      "\"", #""id":"#, #""id":1,"#, #""method":"ping""#, #""method":"later""#, #""params":"#, "null", "[]", "{}",
      #""jsonrpc":"2.0","#, "0", "-1", "18446744073709551616", "[[[[[[[[[[[[", #""result":1"#, #""error":null"#,
      #""method":"now""#, #""method":"$/cancelRequest""#,
    ]
}
