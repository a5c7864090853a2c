internal import ItemList
internal import Randomness
internal import WireJSON

/// A mail of the demo's mailbox. Its number determines its content.
struct DemoMail {
  /// The number of mails at first.
  static let count = 320

  private let number: Int
  private let count: Int

  /// Creates the mail with a number. Number 0 is the newest at first; negative numbers arrive later. Beyond the default
  /// number of mails, the contents repeat.
  init(number: Int, of count: Int = DemoMail.count) { (self.number, self.count) = (number, count) }

  /// Returns the number in an id; nil if the id isn't a mail's.
  static func number(of id: ItemID) -> Int? {
    id.raw.string.flatMap { $0.hasPrefix("m") ? Int($0.dropFirst()) : nil }.map { $0 - 1 }
  }

  /// Whether the mail is unread at first.
  var isUnread: Bool {
    var random = DemoMail.random(number, 6)
    return number < 0 || number < 30 && Int.random(in: 0..<100, using: &random) < 40
  }

  /// Returns a random number generator for one property of a mail. Its seed is the mail's number and `matter`, the
  /// number of the property.
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
