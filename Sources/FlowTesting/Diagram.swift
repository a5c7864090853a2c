import Testing

/// What happened when, drawn in a line of text.
///
/// A character is a frame, a span of time whose length ``Marbles`` sets:
///
/// | drawn | meaning |
/// |---|---|
/// | `-` | nothing |
/// | `a`, `7`, … | a value |
/// | `(ab)` | several events in the same frame; the parentheses take no time, the group takes one frame |
/// | `\|` | completed |
/// | `#` | failed |
/// | `^`, `!` | subscribed, unsubscribed, in diagrams of subscriptions |
///
/// Spaces are skipped, so that diagrams under each other can be aligned. At the end it means nothing: `"a--"` is equal to
/// `"a"`.
public struct Diagram: Equatable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// The marks of each frame.
  var frames: [[Character]]

  init(frames: [[Character]]) { self.frames = frames }

  /// Reads a diagram. A group that is not closed extends to the end.
  public init(_ text: String) {
    frames = []
    var group: [Character]?
    for mark in text where mark != " " {
      switch mark {
      case "(": group = []
      case ")":
        frames.append(group ?? [])
        group = nil
      case "-" where group == nil: frames.append([])
      case _ where group == nil: frames.append([mark])
      default: group?.append(mark)
      }
    }
    if let group { frames.append(group) }
  }

  /// Reads a diagram.
  public init(stringLiteral value: String) { self.init(value) }

  /// Whether the same happened in the same frames: two that differ in nothing but frames at their ends in which nothing
  /// happened are equal.
  public static func == (left: Diagram, right: Diagram) -> Bool {
    (0..<max(left.frames.count, right.frames.count)).allSatisfy { left[$0] == right[$0] }
  }

  /// The diagram, drawn.
  public var description: String {
    frames.indices.map(drawn).joined()
  }

  subscript(frame: Int) -> [Character] {
    frame < frames.count ? frames[frame] : []
  }

  private func drawn(_ frame: Int) -> String {
    let marks = self[frame]
    // By itself a value that is drawn as `-` would look like nothing.
    return marks.isEmpty ? "-" : marks.count == 1 && marks != ["-"] ? String(marks) : "(\(String(marks)))"
  }

  /// This diagram, another under it frame by frame, and a line that points at the frames that differ.
  func comparison(with expected: Diagram) -> String {
    var lines = ["actual:   ", "expected: ", "          "]
    let last = frames.lastIndex { !$0.isEmpty } ?? 0
    for frame in 0..<max(last + 1, expected.frames.count) {
      let cells = [drawn(frame), expected.drawn(frame), self[frame] == expected[frame] ? " " : "^"]
      let width = max(cells[0].count, cells[1].count)
      for line in lines.indices {
        lines[line] += cells[line] + String(repeating: " ", count: width - cells[line].count)
      }
    }
    return lines.joined(separator: "\n")
  }

  /// Reports an issue if this is not what was expected.
  func expect(_ expected: Diagram, _ what: String, _ sourceLocation: SourceLocation) {
    if self != expected {
      Issue.record("\(what)\n\(comparison(with: expected))", sourceLocation: sourceLocation)
    }
  }
}
