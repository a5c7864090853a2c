/// When the mails came: eight a day, between seven in the morning and eleven at night, back from 20 November 2026; those that
/// come in later on the days after it.
enum DemoTime {
  private static let perDay = 8
  private static let lastDay = (year: 2026, month: 11, day: 20)
  private static let monthLengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

  /// The most mails that come eight a day: ten years of them.
  private static let most = 3650 * perDay

  /// When a mail came, as ISO 8601 has it, with the zone of Tokyo. More than come in ten years share these.
  static func text(number: Int, of count: Int = DemoMail.count) -> String {
    var random = DemoMail.random(number, 5)
    var (number, shift) = (number, Int.random(in: 0..<120, using: &random))
    if count > most {
      let (place, rest) = (number * most).quotientAndRemainder(dividingBy: count)
      (number, shift) = (place, 119 - rest * 120 / count)
    }
    let (year, month, day) = date(number: number)
    let slot = perDay - 1 - (number - daysAgo(number) * perDay)
    let minute = 7 * 60 + slot * 120 + shift
    return "\(year)-\(pad(month))-\(pad(day))T\(pad(minute / 60)):\(pad(minute % 60)):00+09:00"
  }

  /// The month before that of a mail, from 0 on.
  static func monthBefore(number: Int) -> Int { (date(number: number).month + 10) % 12 }

  private static func daysAgo(_ number: Int) -> Int { (number < 0 ? number - perDay + 1 : number) / perDay }

  private static func date(number: Int) -> (year: Int, month: Int, day: Int) {
    var (year, month, day) = (lastDay.year, lastDay.month, lastDay.day - daysAgo(number))
    while day < 1 {
      (year, month) = month > 1 ? (year, month - 1) : (year - 1, 12)
      day += monthLengths[month - 1]
    }
    while day > monthLengths[month - 1] {
      day -= monthLengths[month - 1]
      (year, month) = month < 12 ? (year, month + 1) : (year + 1, 1)
    }
    return (year, month, day)
  }

  private static func pad(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }
}
