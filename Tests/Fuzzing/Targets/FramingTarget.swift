internal import RPC
internal import Randomness
internal import WireJSON

extension FuzzTarget {
  /// The framings. However an input is cut, it has the same responses. Each line has the same responses as it has
  /// alone.
  static let framing = FuzzTarget(
    "framing", testedInputs: 1000, seeds: Messages.conversations, words: Messages.words
  ) { input throws(Finding) in
    let (whole, framing) = answers(to: [input[...]])
    var random = SplitMix64(hashing: input)
    for longest in [1, 7, 90] {
      let cut = answers(to: random.pieces(of: input, longest: longest)).output
      try require(cut == whole, "in pieces it is answered \(String(decoding: cut, as: UTF8.self))")
    }
    guard framing == .lines else { return }
    let alone = Lines(input).lines.flatMap { answers(to: [$0], in: .lines).output }
    let isEqual = unnumbered(alone) == unnumbered(whole)
    try require(isEqual, "line by line it is answered \(String(decoding: alone, as: UTF8.self))")
  }

  /// Limits that are small enough for inputs to exceed them.
  static var limits: Peer.Limits {
    var limits = Peer.Limits()
    limits.messageSize = 200
    limits.nesting = 8
    limits.batch = 4
    return limits
  }
}

/// Removes the numbers of the messages from responses, because a single line always has the number 1.
private func unnumbered(_ answers: [UInt8]) -> [UInt8] {
  let name = Array(#""message":"#.utf8)
  var (kept, rest) = ([UInt8](), answers[...])
  while let byte = rest.popFirst() {
    kept.append(byte)
    if kept.suffix(name.count) == name[...] { rest = rest.drop { (0x30...0x39).contains($0) } }
  }
  return kept
}

/// An input as lines, if it has one message per line.
struct Lines {
  let lines: [ArraySlice<UInt8>]

  init(_ input: [UInt8]) {
    var rest = input[...]
    // White space and byte order marks before the first message are skipped.
    while true {
      if let first = rest.first, " \t\r\n".utf8.contains(first) {
        rest = rest.dropFirst()
      } else if rest.starts(with: "\u{FEFF}".utf8) {
        rest = rest.dropFirst(3)
      } else {
        break
      }
    }
    lines = rest.split(separator: UInt8(ascii: "\n"))
  }
}

/// Returns the output of a stateless peer for an input.
private func answers(to pieces: [ArraySlice<UInt8>], in framing: Framing? = nil) -> (output: [UInt8], Framing?) {
  let peer = Peer(limits: FuzzTarget.limits, framing: framing) { call throws(RPCError) in
    switch call.method {
    case "ping": return .empty
    case "fail": throw RPCError(.invalidParams, "no")
    default:
      return .result { writer in
        writer.beginObject()
        writer.key(call.method.string)
        writer.raw(call.params ?? .null)
        writer.endObject()
      }
    }
  }
  for piece in pieces { peer.take(piece) }
  peer.receiveEnd()
  peer.take([])
  return (peer.said(), peer.framing)
}
