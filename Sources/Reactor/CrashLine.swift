/// Recognizes the line in a program's standard error that gives the reason of a crash. A backtrace may follow the line.
///
/// The client libraries for Python and JavaScript look for the same words.
package enum CrashLine {
  private static let words = ["Fatal error", "Precondition failed", "Assertion failed", "panicked at"]

  /// Whether a line gives the reason of a crash.
  package static func matches(_ line: String) -> Bool { words.contains(where: line.contains) }
}
