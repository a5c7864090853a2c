/// Dates in headers (RFC 9110, section 5.6.7), in all three formats.
enum HTTPDate {
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// Reads a date such as `Sun, 06 Nov 1994 08:49:37 GMT`. Returns seconds since 1970, or nil if the text isn't a date.
  static func seconds(_ text: String) -> Int? {
    // A valid date has at most 33 bytes. Longer texts could take long to compare.
    guard text.utf8.count <= 64 else { return nil }
    var words = text.split { !$0.isLetter && !$0.isNumber }.map(String.init)
    // `Sun Nov  6 08:49:37 1994` has the month before the day, and the year last.
    if words.count == 7, months.contains(words[1]) { words = [words[0], words[2], words[1], words[6]] + words[3...5] }
    guard words.count >= 7, let month = months.firstIndex(of: words[2]), let day = Int(words[1]),
      let year = Int(words[3]),
      let hour = Int(words[4]), let minute = Int(words[5]), let second = Int(words[6]),
      (1...31).contains(day), (0..<10_000).contains(year), (0..<24).contains(hour), (0..<60).contains(minute),
      (0...60).contains(second)
    else { return nil }
    // A year of two digits from 70 on is in the last century. Dates of this century are no longer sent with two digits.
    let fullYear = year < 70 ? year + 2000 : year < 100 ? year + 1900 : year
    return ((days(fullYear, month + 1, day) * 24 + hour) * 60 + minute) * 60 + second
  }

  /// Returns the days since 1970-01-01. It counts years from March, so that a leap day is the last day of a year.
  private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let year = month > 2 ? year : year - 1
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return year * 365 + year / 4 - year / 100 + year / 400 + dayOfYear - 719_468
  }
}
