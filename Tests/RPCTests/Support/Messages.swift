import Randomness

/// Messages as clients send them, valid and invalid.
struct Messages {
  let texts: [String]

  static func make(_ count: Int, broken: Int = 25, with random: inout SplitMix64) -> Messages {
    Messages(texts: (0..<count).map { _ in random.happens(broken) ? bad(&random) : good(&random) })
  }

  private static let ids = [
    "1", "-0", "1.50", "9007199254740993", "1e400", #""""#, #""a\"b""#, #""流れ""#, #""\u0061""#, "null",
  ]
  private static let methods = ["ping", "echo", "fail", "later", "now", "say", "ask", "$/cancelRequest", "nothing"]
  private static let params = [
    "", #","params":null"#, #","params":[]"#, #","params":{}"#, #","params":[1]"#, #","params":{"id":1,"a":[true]}"#,
    #","params":{"a":"\ud83d\ude00\n"}"#, #","params":"x""#, #", "extra" : { } "#,
  ]

  private static func pick(_ list: [String], _ random: inout SplitMix64) -> String {
    list[Int.random(in: 0..<list.count, using: &random)]
  }

  private static func good(_ random: inout SplitMix64) -> String {
    if random.happens(10) {
      return #"{"jsonrpc":"2.0","id":\#(Int.random(in: 1...4, using: &random)),"result":{"a":1}}"#
    }
    if random.happens(10) { return "[" + (0..<3).map { _ in good(&random) }.joined(separator: ",") + "]" }
    let id = random.happens(80) ? #","id":"# + pick(ids, &random) : ""
    return #"{"jsonrpc":"2.0""# + id + #","method":""# + pick(methods, &random) + "\"" + pick(params, &random) + "}"
  }

  private static func bad(_ random: inout SplitMix64) -> String {
    let text = good(&random)
    switch Int.random(in: 0..<6, using: &random) {
    case 0: return String(text.dropLast(Int.random(in: 1...text.count, using: &random)))
    case 1: return text.replacing("\"jsonrpc\":\"2.0\",", with: "")
    case 2: return text.replacing(":", with: "", maxReplacements: 1)
    case 3: return text + "]"
    case 4: return String(repeating: "[", count: 20)
    default: return "{\"a\":\"" + String(repeating: "x", count: 250) + "\"}"
    }
  }

  /// Returns the messages, one per line, with blank lines and different line ends.
  func lines(with random: inout SplitMix64) -> [UInt8] {
    var input = random.happens(30) ? "\u{FEFF}" : ""
    // An invalid first message could choose the other framing.
    for text in [#"{"a":1}"#] + texts {
      input += text + (random.happens(30) ? "\r\n" : random.happens(10) ? "\n \n" : "\n")
    }
    return Array(input.utf8.dropLast(random.happens(50) ? 0 : 1))
  }

  /// Returns the messages in LSP's framing, with headers in many spellings, some of them broken.
  func headers(with random: inout SplitMix64) -> [UInt8] {
    var input = "\n"
    for text in texts {
      let count = text.utf8.count
      switch Int.random(in: 0..<12, using: &random) {
      case 0: input += "content-length:\(count)\n\n"
      case 1: input += "X-A: b\r\nContent-Length: \(count)\r\n\r\n"
      case 2: input += "Content-Length: \(count)x\r\n\r\n"
      case 3: input += "oh!\n"
      case 4: input += "Content-Length: \(count)\r\n\r\n\n"
      case 5: input += "Content-Length: \(max(count - 1, 0))\r\n\r\n"
      default: input += "Content-Length: \(count)\r\n\r\n"
      }
      input += text + (random.happens(20) ? "\r\n" : "")
    }
    return Array(input.utf8.dropLast(random.happens(80) ? 0 : 5))
  }
}
