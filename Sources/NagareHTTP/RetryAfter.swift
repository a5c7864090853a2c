/// Reads the header `Retry-After` (RFC 9110, section 10.2.3).
enum RetryAfter {
  /// The upper limit of pauses in seconds. A server that requests a hundred years has made a mistake, and would never
  /// receive a request again.
  private static let longest = 3600

  /// Returns the pause, from 0 to an hour. The value is a number of seconds, or a date, for which `now` is the current
  /// time in seconds since 1970. Nil if the value is neither.
  static func pause(_ value: String, now: Int) -> Duration? {
    let isNumber = !value.isEmpty && value.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    let seconds = isNumber ? Int(value) ?? .max : HTTPDate.seconds(value).map { max($0 - now, 0) }
    return seconds.map { .seconds(min($0, longest)) }
  }
}
