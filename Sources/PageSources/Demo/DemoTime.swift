/// The times of the demo mails. Eight come on each day, between 7 and 23 o'clock. The mails that exist at first end on
/// 20 November 2026; later ones arrive on the days after.
enum DemoTime {
  private static let perDay = 8
  private static let lastDay = (year: 2026, month: 11, day: 20)
  private static let monthLengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

  /// The maximum number of mails at eight a day, which is ten years of mails.
  private static let most = 3650 * perDay

  /// Returns the time of a mail in ISO 8601 format, in Tokyo's time zone. If there are more mails than in ten years,
  /// they are spread over these years.
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

  /// Returns the month before that of a mail, from 0.
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
