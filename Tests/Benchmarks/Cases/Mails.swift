internal import ItemList
internal import Randomness
internal import WireJSON

/// Realistic items, the same ones each time: objects with an id, numbers, escapes and letters beyond ASCII.
struct Mails {
  private static let words = [
    "water", "meeting", "quarter", "invoice", "running", "garden", "late", "station", "über", "café", "nagare",
    "stream",
    "letter", "please", "window", "rather", "price", "evening", "流れ", "tomorrow",
  ].map { Array($0.utf8) }

  /// The minimum length of a mail's body, in bytes.
  let bodySize: Int
  private var random = SplitMix64(seed: 20_261_121)

  init(bodySize: Int) { self.bodySize = bodySize }

  /// Returns mails as JSON Lines, of at least `size` bytes.
  mutating func lines(size: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(size + 4096)
    var number = 0
    while bytes.count < size {
      append(number, to: &bytes)
      bytes.append(UInt8(ascii: "\n"))
      number += 1
    }
    return bytes
  }

  /// Returns pages of 20 mails, as from a source, beginning with the first.
  mutating func pages(_ count: Int) -> [RawItems] { (0..<count).map { page($0) } }

  /// Returns a page of 20 mails. Pages are numbered from 0.
  mutating func page(_ number: Int) -> RawItems { mails(number * 20..<number * 20 + 20) }

  /// Returns mails by number, from 0.
  mutating func mails(_ numbers: Range<Int>) -> RawItems {
    var bytes: [UInt8] = []
    var slices: [RawItems.Slice] = []
    bytes.reserveCapacity(numbers.count * (bodySize + 200))
    slices.reserveCapacity(numbers.count)
    for item in numbers {
      if !slices.isEmpty { bytes.append(UInt8(ascii: ",")) }
      let start = bytes.count
      let id = append(item, to: &bytes)
      slices.append(
        RawItems.Slice(
          start: UInt32(start), length: UInt32(bytes.count - start), idStart: UInt32(id.lowerBound),
          idLength: UInt32(id.count)))
    }
    // A copy has no unused capacity, so it holds only the bytes of the items.
    return RawItems(bytes: bytes.map { $0 }, slices: slices)
  }

  /// Writes one mail. Returns the range of its id.
  @discardableResult
  private mutating func append(_ number: Int, to bytes: inout [UInt8]) -> Range<Int> {
    bytes += #"{"id":"#.utf8
    let start = bytes.count
    bytes += "\"m\(number)\"".utf8
    let end = bytes.count
    bytes += #","from":{"name":""#.utf8
    appendWord(to: &bytes)
    bytes += #"","address":"someone@example.com"},"subject":"#.utf8
    bytes += #""\""#.utf8
    appendWord(to: &bytes)
    bytes += #"\"","date":"2026-11-21T08:15:00Z","unread":true,"size":"#.utf8
    bytes += String(random.next() % 100_000).utf8
    bytes += #","body":""#.utf8
    let bodyEnd = bytes.count + bodySize
    while bytes.count < bodyEnd {
      appendWord(to: &bytes)
      bytes.append(UInt8(ascii: " "))
    }
    bytes += #"\n"}"#.utf8
    return start..<end
  }

  private mutating func appendWord(to bytes: inout [UInt8]) {
    bytes += Mails.words[Int(random.next() % UInt64(Mails.words.count))]
  }
}
