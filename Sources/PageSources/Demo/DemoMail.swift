internal import Randomness
internal import WireJSON

/// One mail of the demo's mailbox, made from its number alone.
struct DemoMail {
  /// How many there are.
  static let count = 320

  private let number: Int

  /// Names a mail.
  ///
  /// - Parameter number: its place from 0, the newest first.
  init(number: Int) { self.number = number }

  func write(to writer: inout JSONWriter) {
    let digits = String(number + 1)
    let letter = DemoLetter(number: number)
    writer.beginObject()
    writer.key("id")
    writer.string("m" + String(repeating: "0", count: max(0, 3 - digits.count)) + digits)
    writer.key("subject")
    writer.string(letter.subject)
    writer.key("sender")
    writer.string(letter.sender)
    writer.key("date")
    writer.string(DemoTime.text(number: number))
    writer.key("body")
    writer.string(letter.body)
    writer.endObject()
  }
}

/// When the mails came: eight a day, between seven in the morning and eleven at night, back from 20 November 2026.
enum DemoTime {
  static let perDay = 8
  private static let lastDay = (month: 11, day: 20)
  private static let monthLengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

  /// When a mail came, as ISO 8601 has it.
  static func text(number: Int) -> String {
    var random = SplitMix64(seed: UInt64(number) << 8 | 5)
    let (month, day) = date(ofDay: number / perDay)
    let slot = perDay - 1 - number % perDay
    let minute = 7 * 60 + slot * 120 + Int.random(in: 0..<120, using: &random)
    return "2026-\(pad(month))-\(pad(day))T\(pad(minute / 60)):\(pad(minute % 60)):00+09:00"
  }

  /// The month of a day that is so many days before the last.
  static func month(ofDay daysAgo: Int) -> Int { date(ofDay: daysAgo).month }

  private static func date(ofDay daysAgo: Int) -> (month: Int, day: Int) {
    var (month, day) = (lastDay.month, lastDay.day - daysAgo)
    while day < 1 {
      month -= 1
      day += monthLengths[month - 1]
    }
    return (month, day)
  }

  private static func pad(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }
}
