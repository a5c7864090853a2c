internal import Randomness

/// How often a load is tried, its time limits, and the pauses between tries.
package struct RetryPolicy: Sendable {
  /// The time limit of one try.
  package var timeout = Duration.seconds(30)
  /// The maximum number of tries, including the first.
  package var tries = 5
  /// The time limit of all tries, including the pauses between them.
  package var total = Duration.seconds(60)
  /// The time limit of all tries of a load that reports progress. Each report of more progress restarts ``timeout``.
  package var totalWithProgress = Duration.seconds(600)
  /// The maximum pause before the second try. It doubles with each try.
  package var firstPause = Duration.milliseconds(500)
  /// The upper limit of all pauses.
  package var longestPause = Duration.seconds(10)

  /// The default policy: at most 5 tries of 30 s each within 60 s, with half a second before the second.
  package init() {}

  /// Returns the maximum pause after a number of tries. It doubles with each try.
  func pause(after tries: Int) -> Duration { min(firstPause * (1 << min(tries - 1, 30)), longestPause) }

  /// Returns the pause after a failed try. Half of it is random, so that programs that failed together don't try again
  /// together.
  func pause(after tries: Int, using random: inout SplitMix64) -> Duration {
    let pause = pause(after: tries)
    return pause / 2 + pause / 2 * Double.random(in: 0...1, using: &random)
  }
}
