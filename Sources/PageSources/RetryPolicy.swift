internal import Randomness

/// How often and how long to try a load.
package struct RetryPolicy: Sendable {
  /// How long one try may take.
  package var timeout = Duration.seconds(30)
  /// How many tries there are at most, the first among them.
  package var tries = 5
  /// How long all of them may take, with the pauses between.
  package var total = Duration.seconds(60)
  /// How long a load may take in all that reports progress: each report of more gives it ``timeout`` again.
  package var totalWithProgress = Duration.seconds(600)
  /// The longest pause before the second try; it doubles with every try.
  package var firstPause = Duration.milliseconds(500)
  /// What no pause is longer than.
  package var longestPause = Duration.seconds(10)

  /// The usual policy: 5 tries of 30 s at most within 60 s, half a second apart at first.
  package init() {}

  /// The longest time to wait after so many tries, which doubles with each.
  func pause(after tries: Int) -> Duration { min(firstPause * (1 << min(tries - 1, 30)), longestPause) }

  /// How long to wait after a try that failed. Half of it is left to chance, so that many who failed together don't come
  /// back together.
  func pause(after tries: Int, using random: inout SplitMix64) -> Duration {
    let pause = pause(after: tries)
    return pause / 2 + pause / 2 * Double.random(in: 0...1, using: &random)
  }
}
