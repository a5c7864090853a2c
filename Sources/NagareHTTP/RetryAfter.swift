/// The header `Retry-After` (RFC 9110, section 10.2.3).
enum RetryAfter {
  /// The longest pause that a server gets, in seconds: one that asks for a hundred years has made a mistake, and would
  /// never be asked again.
  private static let longest = 3600

  /// How long to wait, from 0 to an hour: by seconds, or by a date and the time in seconds since 1970; nil if the value
  /// is neither.
  static func pause(_ value: String, now: Int) -> Duration? {
    let isNumber = !value.isEmpty && value.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    let seconds = isNumber ? Int(value) ?? .max : HTTPDate.seconds(value).map { max($0 - now, 0) }
    return seconds.map { .seconds(min($0, longest)) }
  }
}
