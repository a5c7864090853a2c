/// A list of any length, with the part of its rows that this client holds. Rows outside of that part, and rows that
/// aren't loaded yet, are nil.
///
/// ```swift
/// let inbox = try await session.open("items", ["window": ["margin": 50]], as: ListView<Mail>.self)
/// try await inbox.viewWillAppear()
/// let mails = try inbox.window(\.items)
/// print(mails.count, mails[60]?.subject ?? "…")
/// ```
/// - A window never changes; the next change creates a new window.
/// - Reading a row by its index reports that the row is in sight. The window then moves there, and a later window
///   contains the row. ``peek(_:)`` and `for … in` don't report rows.
public struct Window<Item: Sendable>: Sendable {
  /// The held part, with nil for each row that isn't loaded yet.
  public let held: Rows<Item?>
  /// The position of the first held row in the list.
  public let start: Int
  /// The number of rows in the list.
  public let count: Int
  /// Whether `count` is exact. Otherwise it is an estimate, or the number of known rows.
  public let isExact: Bool
  /// The server's number for this state of the list.
  public let revision: Int
  /// Called for each row that is read by its index.
  let look: @Sendable (_ index: Int, _ revision: Int) -> Void

  /// The positions of the held rows in the list.
  public var heldIndices: Range<Int> { start..<start + held.count }

  /// Returns the row at an index, without reporting that it is in sight.
  ///
  /// - Parameter index: the index, from 0; must be less than `count`.
  /// - Returns: the row; nil if it isn't held or isn't loaded yet.
  public func peek(_ index: Int) -> Item? {
    precondition(indices.contains(index), "\(count) rows have none at \(index)")
    return heldIndices.contains(index) ? held[index - start] : nil
  }
}

extension Window: RandomAccessCollection {
  /// The first index, 0.
  public var startIndex: Int { 0 }
  /// The number of rows in the list.
  public var endIndex: Int { count }

  /// The row at an index. Reading it reports that it is in sight, so the window moves there.
  ///
  /// - Parameter index: the index, from 0; must be less than `count`.
  public subscript(index: Int) -> Item? {
    look(index, revision)
    return peek(index)
  }

  /// Returns an iterator over the whole list. It doesn't report rows as in sight.
  public func makeIterator() -> some IteratorProtocol<Item?> {
    indices.lazy.map { peek($0) }.makeIterator()
  }
}

extension Window: Equatable where Item: Equatable {
  /// Whether two windows hold the same part of equally long lists, with equal rows.
  public static func == (left: Window, right: Window) -> Bool {
    (left.start, left.count, left.isExact) == (right.start, right.count, right.isExact) && left.held == right.held
  }
}

extension Window: CustomStringConvertible {
  /// The number of held rows, and the length and position.
  public var description: String { "Window(\(held.count) of \(count) from \(start))" }
}

/// The position of a window in its list, and the list's length.
struct WindowPosition: Equatable {
  let start: Int
  let count: Int
  let isExact: Bool
}
