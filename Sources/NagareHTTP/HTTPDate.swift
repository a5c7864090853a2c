/// Dates as headers have them (RFC 9110, section 5.6.7), in all three forms.
enum HTTPDate {
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// Reads a date such as `Sun, 06 Nov 1994 08:49:37 GMT` as seconds since 1970; nil if it is none.
  static func seconds(_ text: String) -> Int? {
    // The longest has 33 bytes. What is longer could take long to compare, too.
    guard text.utf8.count <= 64 else { return nil }
    var words = text.split { !$0.isLetter && !$0.isNumber }.map(String.init)
    // `Sun Nov  6 08:49:37 1994` has day and month in the other order, and the year last.
    if words.count == 7, months.contains(words[1]) { words = [words[0], words[2], words[1], words[6]] + words[3...5] }
    guard words.count >= 7, let month = months.firstIndex(of: words[2]), let day = Int(words[1]),
      let year = Int(words[3]),
      let hour = Int(words[4]), let minute = Int(words[5]), let second = Int(words[6]),
      (1...31).contains(day), (0..<10_000).contains(year), (0..<24).contains(hour), (0..<60).contains(minute),
      (0...60).contains(second)
    else { return nil }
    // Two digits are a year of the last century from 70 on, as nobody sends them any more for this one.
    let fullYear = year < 70 ? year + 2000 : year < 100 ? year + 1900 : year
    return ((days(fullYear, month + 1, day) * 24 + hour) * 60 + minute) * 60 + second
  }

  /// Days since 1970-01-01, counted by years that begin in March, so that the leap day is a year's last.
  private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let year = month > 2 ? year : year - 1
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return year * 365 + year / 4 - year / 100 + year / 400 + dayOfYear - 719_468
  }
}
