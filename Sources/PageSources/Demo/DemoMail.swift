internal import ItemList
internal import Randomness
internal import WireJSON

/// One mail of the demo's mailbox, made from its number alone.
struct DemoMail {
  /// How many there are at first.
  static let count = 320

  private let number: Int
  private let count: Int

  /// Names a mail by its place, the newest first; below 0 one that comes in later. What is in one comes again after so
  /// many as there are usually.
  init(number: Int, of count: Int = DemoMail.count) { (self.number, self.count) = (number, count) }

  /// The place of the mail with an id, if there are so many.
  static func number(of id: ItemID) -> Int? {
    id.raw.string.flatMap { $0.hasPrefix("m") ? Int($0.dropFirst()) : nil }.map { $0 - 1 }
  }

  /// Whether nobody has read it yet, at first.
  var isUnread: Bool {
    var random = DemoMail.random(number, 6)
    return number < 0 || number < 30 && Int.random(in: 0..<100, using: &random) < 40
  }

  /// The chance of a mail for one matter.
  static func random(_ number: Int, _ matter: UInt64) -> SplitMix64 {
    SplitMix64(seed: UInt64(bitPattern: Int64(number)) << 8 | matter)
  }

  func write(to writer: inout JSONWriter, tellsUnread: Bool = false) {
    let digits = String(number < 0 ? DemoMail.count - number : number + 1)
    let letter = DemoLetter(number: number < DemoMail.count ? number : number % DemoMail.count)
    writer.beginObject()
    writer.member("id", "m" + String(repeating: "0", count: max(0, 3 - digits.count)) + digits)
    writer.member("subject", letter.subject)
    writer.member("sender", letter.sender)
    writer.member("date", DemoTime.text(number: number, of: count))
    writer.member("body", letter.body)
    if tellsUnread {
      writer.member("unread", isUnread)
    }
    writer.endObject()
  }
}
