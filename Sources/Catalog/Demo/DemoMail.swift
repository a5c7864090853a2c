internal import WireJSON

/// One mail of the demo's mailbox, made from its number alone.
struct DemoMail {
  /// How many there are.
  static let count = 320
  private static let perDay = 8
  private static let seed: UInt64 = 0x6E61_6761_7265

  let id: String
  let subject: String
  let sender: String
  /// When it came, as ISO 8601 has it.
  let date: String
  let body: String

  /// Makes a mail.
  ///
  /// - Parameter number: its place from 0, the newest first.
  init(number: Int) {
    let digits = String(number + 1)
    id = "m" + String(repeating: "0", count: max(0, 3 - digits.count)) + digits
    var random = DemoMail.random(number)
    let time = DemoTime(day: number / DemoMail.perDay, slot: number % DemoMail.perDay, using: &random)
    date = time.text
    let letter = DemoLetter(number: number, time: time, using: &random)
    subject = letter.subject
    sender = letter.sender
    body = letter.body
  }

  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("id")
    writer.string(id)
    writer.key("subject")
    writer.string(subject)
    writer.key("sender")
    writer.string(sender)
    writer.key("date")
    writer.string(date)
    writer.key("body")
    writer.string(body)
    writer.endObject()
  }

  /// What a mail's chance follows from: the same for the same number.
  static func random(_ number: Int) -> SplitMix64 {
    SplitMix64(seed: seed &+ UInt64(number) &* 0x9E37_79B9_7F4A_7C15)
  }
}

/// When a mail came: eight a day, between seven in the morning and eleven at night, back from 20 November 2026.
struct DemoTime {
  let month: Int
  private let day: Int
  private let minute: Int

  init(day daysAgo: Int, slot: Int, using random: inout SplitMix64) {
    var (month, day) = (11, 20 - daysAgo)
    while day < 1 {
      month -= 1
      day += DemoTime.lengths[month - 1]
    }
    self.month = month
    self.day = day
    minute = 7 * 60 + (7 - slot) * 120 + Int.random(in: 0..<120, using: &random)
  }

  var text: String { "2026-\(pad(month))-\(pad(day))T\(pad(minute / 60)):\(pad(minute % 60)):00+09:00" }

  private func pad(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }

  private static let lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
}
