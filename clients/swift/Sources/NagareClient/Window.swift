/// A list of any length of which one part is held: elsewhere it has nil, as it has for rows of that part that aren't read
/// yet.
///
/// ```swift
/// let inbox = try await session.open("items", ["window": ["margin": 50]], as: ListView<Mail>.self)
/// try await inbox.viewWillAppear()
/// let mails = try inbox.window(\.items)
/// print(mails.count, mails[60]?.subject ?? "…")
/// ```
/// It never changes; the next change makes another one. To read a row by its index is to look at it: the part that is held
/// follows, and the row comes with a later window. ``peek(_:)`` and `for … in` don't look.
public struct Window<Item: Sendable>: Sendable {
  /// The part that is held, with nil for each row that isn't read yet.
  public let held: Rows<Item?>
  /// The place in the list of the first row that is held.
  public let start: Int
  /// How many rows the list has.
  public let count: Int
  /// Whether that is known; else it is an estimate, or of the rows that are known.
  public let isExact: Bool
  /// The server's number for this state of the list.
  public let revision: Int
  /// Hears of each row that is looked at.
  let look: @Sendable (_ index: Int, _ revision: Int) -> Void

  /// The places in the list of the rows that are held.
  public var heldIndices: Range<Int> { start..<start + held.count }

  /// The row at an index, as it is held: nobody hears that it was looked at.
  ///
  /// - Parameter index: from 0; the list must have such a row.
  /// - Returns: nil if it isn't held, or isn't read yet.
  public func peek(_ index: Int) -> Item? {
    precondition(indices.contains(index), "\(count) rows have none at \(index)")
    return heldIndices.contains(index) ? held[index - start] : nil
  }
}

extension Window: RandomAccessCollection {
  /// 0.
  public var startIndex: Int { 0 }
  /// How many rows the list has.
  public var endIndex: Int { count }

  /// The row at an index, which is looked at: what is held follows.
  ///
  /// - Parameter index: from 0; the list must have such a row.
  public subscript(index: Int) -> Item? {
    look(index, revision)
    return peek(index)
  }

  /// Goes through the whole list, and looks at nothing.
  public func makeIterator() -> some IteratorProtocol<Item?> {
    indices.lazy.map { peek($0) }.makeIterator()
  }
}

extension Window: Equatable where Item: Equatable {
  /// Whether the same part of equally long lists is held, and the same rows in it.
  public static func == (left: Window, right: Window) -> Bool {
    (left.start, left.count, left.isExact) == (right.start, right.count, right.isExact) && left.held == right.held
  }
}

extension Window: CustomStringConvertible {
  /// What is held of how many.
  public var description: String { "Window(\(held.count) of \(count) from \(start))" }
}

/// Where the part of a list that is held lies, and how long the list is.
struct WindowPosition: Equatable {
  let start: Int
  let count: Int
  let isExact: Bool
}
