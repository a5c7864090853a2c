import Randomness
import WireJSON

extension SplitMix64 {
  mutating func chance(_ part: Int, in whole: Int) -> Bool { Int.random(in: 0..<whole, using: &self) < part }

  mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: 0..<elements.count, using: &self)]
  }
}

/// Makes random JSON texts that use all of the grammar.
struct TextGenerator {
  var random: SplitMix64

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  mutating func text(depth: Int = 4) -> String { space() + value(depth: depth) + space() }

  mutating func value(depth: Int) -> String {
    switch Int.random(in: 0..<(depth > 0 ? 9 : 6), using: &random) {
    case 0: random.pick(["true", "false", "null"])
    case 1, 2: number()
    case 3, 4, 5: string()
    case 6, 7: object(depth: depth)
    default: array(depth: depth)
    }
  }

  mutating func object(depth: Int) -> String {
    let members = (0..<Int.random(in: 0...4, using: &random)).map { _ in
      space() + string() + space() + ":" + space() + value(depth: depth - 1) + space()
    }
    return "{" + (members.isEmpty ? space() : members.joined(separator: ",")) + "}"
  }

  mutating func array(depth: Int) -> String {
    let elements = (0..<Int.random(in: 0...4, using: &random)).map { _ in
      space() + value(depth: depth - 1) + space()
    }
    return "[" + (elements.isEmpty ? space() : elements.joined(separator: ",")) + "]"
  }

  mutating func number() -> String {
    let sign = random.chance(1, in: 3) ? "-" : ""
    let whole = random.chance(1, in: 4) ? "0" : random.pick(["1", "7", "9"]) + digits(0...12)
    let fraction = random.chance(1, in: 3) ? "." + digits(1...8) : ""
    let exponent =
      random.chance(1, in: 4) ? random.pick(["e", "E"]) + random.pick(["", "+", "-"]) + digits(1...2) : ""
    return sign + whole + fraction + exponent
  }

  mutating func digits(_ count: ClosedRange<Int>) -> String {
    (0..<Int.random(in: count, using: &random)).reduce(into: "") { text, _ in
      text += String(Int.random(in: 0...9, using: &random))
    }
  }

  mutating func string() -> String {
    let pieces = [
      "a", "id", "plain text ", "x", "日本語", "é", "🙂", "\u{7FF}", "\u{800}", "\u{FFFF}", "\u{10FFFF}", "\\n", "\\\"",
      "\\\\",
      "\\/", "\\u0041", "\\ud83d\\ude42", "\\ud800", "\\uDFFF", "\\u0000", "\u{7F}", "the quick brown fox jumps",
    ]
    let content = (0..<Int.random(in: 0...5, using: &random)).reduce(into: "") { text, _ in text += random.pick(pieces)
    }
    return "\"" + content + "\""
  }

  mutating func space() -> String {
    random.chance(1, in: 3) ? random.pick([" ", "\n", "\t", "\r\n", "  ", "            "]) : ""
  }

  /// Returns a copy with one to three bytes changed, inserted or removed, or with the end cut off.
  mutating func mutated(_ bytes: [UInt8]) -> [UInt8] {
    let likely =
      Array("{}[]\",:\\eE+-.0127tfnu \n\r\t".utf8) + [0x00, 0x1F, 0x7F, 0x80, 0xA0, 0xBF, 0xC0, 0xC2, 0xE0, 0xED]
    let bytewise = likely + [0xEF, 0xF0, 0xF4, 0xF5, 0xFF, 0x90, 0x8F, 0x9F]
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...3, using: &random) where !bytes.isEmpty {
      let index = Int.random(in: 0..<bytes.count, using: &random)
      switch Int.random(in: 0..<8, using: &random) {
      case 0: bytes.remove(at: index)
      case 1: bytes.removeSubrange(index...)
      case 2, 3, 4: bytes.insert(random.pick(bytewise), at: index)
      default: bytes[index] = random.pick(bytewise)
      }
    }
    return bytes
  }
}
