/// The pauses between tries of a request.
struct Backoff: Sendable {
  /// The maximum number of tries after the first.
  let retries: Int
  /// The maximum pause before the second try. It doubles with each try.
  var firstPause = Duration.milliseconds(500)
  /// The upper limit of pauses, unless the server requests longer ones.
  var longestPause = Duration.seconds(8)
  /// The time limit of a request, including pauses. The client gives up after 30 s.
  var mostElapsed = Duration.seconds(25)

  /// Returns the pause before the next try; nil if there are no more tries.
  ///
  /// The pause isn't shorter than the server requests. `chance`, from 0 to 1, shortens it to its half at most, so that
  /// programs that failed together don't try again together.
  func pause(after tries: Int, elapsed: Duration, asked: Duration?, chance: Double) -> Duration? {
    guard tries <= retries else { return nil }
    let own = min(firstPause * (1 << min(tries - 1, 20)), longestPause)
    let pause = max(own / 2 + own / 2 * chance, asked ?? .zero)
    return elapsed + pause < mostElapsed ? pause : nil
  }
}
