internal import Synchronization

/// The rows of a view that somebody looks at: what a user sees is a few neighbouring rows, read one after the other.
///
/// Rows that were looked at together are told together, and only where they aren't among those that were told last.
final class Sight: Sendable {
  /// The most rows that are seen together: half of what a window may hold, so that there is a margin, too.
  static let most = 500

  private struct Guarded {
    /// What was looked at and isn't told yet, in which state of the list.
    var looked: (rows: Range<Int>, revision: Int)?
    var told: Range<Int>?
    var isDue = false
  }

  private let guarded = Mutex(Guarded())

  /// A row was looked at.
  ///
  /// - Returns: whether somebody has to ``take()`` what is to be told, which nobody was to before.
  func look(at index: Int, _ revision: Int) -> Bool {
    guarded.withLock { guarded in
      let rows = guarded.looked.flatMap { $0.revision == revision ? $0.rows : nil }
      guarded.looked = (Sight.extend(rows, to: index), revision)
      guard !guarded.isDue, guarded.told?.contains(index) != true else { return false }
      guarded.isDue = true
      return true
    }
  }

  /// What the server is to be told.
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

  /// The window goes elsewhere by itself.
  func forget() {
    guarded.withLock { ($0.looked, $0.told) = (nil, nil) }
  }

  private static func extend(_ rows: Range<Int>?, to index: Int) -> Range<Int> {
    guard let rows, index >= rows.lowerBound - most, index < rows.upperBound + most else { return index..<index + 1 }
    if index < rows.lowerBound { return index..<min(rows.upperBound, index + most) }
    return max(rows.lowerBound, index + 1 - most)..<max(rows.upperBound, index + 1)
  }

  /// The rows in sight, moved just as far as some have to go that are among them now.
  private static func move(_ told: Range<Int>, to rows: Range<Int>) -> Range<Int> {
    guard rows.count < told.count, rows.lowerBound <= told.upperBound, rows.upperBound >= told.lowerBound else {
      return rows
    }
    if rows.lowerBound < told.lowerBound { return rows.lowerBound..<rows.lowerBound + told.count }
    return max(told.lowerBound, rows.upperBound - told.count)..<max(told.upperBound, rows.upperBound)
  }
}
