internal import Synchronization

/// The rows in sight, derived from the rows of a window that a user interface reads.
///
/// - A user sees a few neighbouring rows, so rows that are read together are reported together.
/// - Rows among those that were reported last aren't reported again.
final class Sight: Sendable {
  /// The maximum number of rows that are reported together. It is half the size of a window, so that there is room for
  /// a margin.
  static let most = 500

  private struct Guarded {
    /// The rows that were read and aren't reported yet, and the revision of their list.
    var looked: (rows: Range<Int>, revision: Int)?
    var told: Range<Int>?
    var isDue = false
  }

  private let guarded = Mutex(Guarded())

  /// Records that a row was read.
  ///
  /// - Returns: whether the caller must arrange a call of ``take()``, because none is pending.
  func look(at index: Int, _ revision: Int) -> Bool {
    guarded.withLock { guarded in
      let rows = guarded.looked.flatMap { $0.revision == revision ? $0.rows : nil }
      guarded.looked = (Sight.extend(rows, to: index), revision)
      guard !guarded.isDue, guarded.told?.contains(index) != true else { return false }
      guarded.isDue = true
      return true
    }
  }

  /// Returns the rows to report to the server.
  func take() -> (rows: Range<Int>, revision: Int)? {
    guarded.withLock { guarded in
      guarded.isDue = false
      guard let (rows, revision) = guarded.looked else { return nil }
      guarded.looked = nil
      let moved = guarded.told.map { Sight.move($0, to: rows) } ?? rows
      guarded.told = moved
      return (moved, revision)
    }
  }

  /// Forgets the reported rows, because the window moves by a jump.
  func forget() {
    guarded.withLock { ($0.looked, $0.told) = (nil, nil) }
  }

  private static func extend(_ rows: Range<Int>?, to index: Int) -> Range<Int> {
    guard let rows, index >= rows.lowerBound - most, index < rows.upperBound + most else { return index..<index + 1 }
    if index < rows.lowerBound { return index..<min(rows.upperBound, index + most) }
    return max(rows.lowerBound, index + 1 - most)..<max(rows.upperBound, index + 1)
  }

  /// Moves the reported rows just as far as necessary to include `rows`.
  private static func move(_ told: Range<Int>, to rows: Range<Int>) -> Range<Int> {
    guard rows.count < told.count, rows.lowerBound <= told.upperBound, rows.upperBound >= told.lowerBound else {
      return rows
    }
    if rows.lowerBound < told.lowerBound { return rows.lowerBound..<rows.lowerBound + told.count }
    return max(told.lowerBound, rows.upperBound - told.count)..<max(told.upperBound, rows.upperBound)
  }
}
