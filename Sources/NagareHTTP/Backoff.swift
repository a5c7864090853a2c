/// How long to wait between tries.
struct Backoff: Sendable {
  /// How many tries may follow the first.
  let retries: Int
  /// The longest pause before the second try; it doubles with every try.
  var firstPause = Duration.milliseconds(500)
  /// What no pause of our own choice is longer than.
  var longestPause = Duration.seconds(8)
  /// How long a request may take, pauses included. The client gives up after 30 s.
  var mostElapsed = Duration.seconds(25)

  /// The pause before the next try, no less than the server has asked for; nil if there is none. Chance, from 0 to 1,
  /// shortens it to no less than its half, so that many who failed together don't come back together.
  func pause(after tries: Int, elapsed: Duration, asked: Duration?, chance: Double) -> Duration? {
    guard tries <= retries else { return nil }
    let own = min(firstPause * (1 << min(tries - 1, 20)), longestPause)
    let pause = max(own / 2 + own / 2 * chance, asked ?? .zero)
    return elapsed + pause < mostElapsed ? pause : nil
  }
}
