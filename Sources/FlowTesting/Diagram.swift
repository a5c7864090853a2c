package import Testing

/// Events and their times, drawn as a line of text.
///
/// Each character is a frame, a span of time. ``Marbles`` defines its length.
///
/// | drawn | meaning |
/// |---|---|
/// | `-` | nothing |
/// | `a`, `7`, … | a value |
/// | `(ab)` | several events in the same frame; the parentheses take no time, the group takes one frame |
/// | `\|` | completed |
/// | `#` | failed |
/// | `^`, `!` | subscribed, unsubscribed, in diagrams of subscriptions |
/// | `5s`, `300ms` | nothing for this long, in seconds or milliseconds; it must be a whole number of frames |
///
/// A time is recognized only between frames without events, spaces, groups, or the ends: `"-a-5s-b"`. So `a5s` is three
/// values. Spaces are skipped, so diagrams below each other can be aligned. Frames without events at the end don't
/// count: `"a--"` equals `"a"`.
public struct Diagram: Equatable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// The characters of each frame.
  var frames: [[Character]]
  /// The times in the diagram, each with the number of frames before it.
  private var times: [(frame: Int, time: Duration)] = []

  package init(frames: [[Character]]) { self.frames = frames }

  /// Replaces the times by frames.
  ///
  /// - Parameters:
  ///   - frame: the length of a frame.
  ///   - sourceLocation: the location of the issue for a time that is not a whole number of frames.
  /// - Returns: the diagram.
  package func drawn(inFramesOf frame: Duration, _ sourceLocation: SourceLocation) -> Diagram {
    var frames = frames
    for (place, time) in times.reversed() {
      let count = Int(time / frame)
      if frame * count != time {
        Issue.record("\(time) in a diagram is no whole number of frames of \(frame)", sourceLocation: sourceLocation)
      }
      frames.insert(contentsOf: Array(repeating: [], count: count), at: place)
    }
    return Diagram(frames: frames)
  }

  /// Parses a diagram. A group that isn't closed extends to the end.
  public init(_ text: String) {
    frames = []
    var group: [Character]?
    var rest = Substring(text)
    var isBetween = true
    while let mark = rest.first {
      if group == nil, isBetween, let (time, end) = Diagram.time(rest) {
        times.append((frames.count, time))
        rest = rest[end...]
        continue
      }
      rest.removeFirst()
      isBetween = " -)".contains(mark)
      switch mark {
      case " ": break
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

  /// Parses the time at the start of a text. Returns it with the index of its end.
  private static func time(_ text: Substring) -> (Duration, Substring.Index)? {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    let unit = text[digits.endIndex...].prefix { $0 == "m" || $0 == "s" }
    guard let count = Int(digits), unit == "s" || unit == "ms",
      text[unit.endIndex...].first.map({ " -(".contains($0) }) ?? true
    else { return nil }
    return (unit == "s" ? .seconds(count) : .milliseconds(count), unit.endIndex)
  }

  /// Parses a diagram.
  public init(stringLiteral value: String) { self.init(value) }

  /// Whether the same events happen in the same frames. Frames without events at the end don't count.
  public static func == (left: Diagram, right: Diagram) -> Bool {
    left.times.elementsEqual(right.times, by: ==)
      && (0..<max(left.frames.count, right.frames.count)).allSatisfy { left[$0] == right[$0] }
  }

  /// The diagram as text.
  public var description: String {
    (0...frames.count).map { frame in
      let times = times.filter { $0.frame == frame }.map { " \(Int($0.time / .milliseconds(1)))ms " }
      return times.joined() + (frame < frames.count ? drawn(frame) : "")
    }.joined()
  }

  subscript(frame: Int) -> [Character] {
    frame < frames.count ? frames[frame] : []
  }

  private func drawn(_ frame: Int) -> String {
    let marks = self[frame]
    // A single value `-` is drawn in parentheses, because it would look like a frame without events.
    return marks.isEmpty ? "-" : marks.count == 1 && marks != ["-"] ? String(marks) : "(\(String(marks)))"
  }

  /// Returns this diagram, the expected one below it, and a line that marks the frames that differ.
  func comparison(with expected: Diagram) -> String {
    var lines = ["actual:   ", "expected: ", "          "]
    let last = frames.lastIndex { !$0.isEmpty } ?? 0
    let count = max(last + 1, expected.frames.count)
    var frame = 0
    while frame < count {
      // Long periods without events are drawn as their number of frames.
      let quiet = (frame..<count).prefix { self[$0].isEmpty && expected[$0].isEmpty }.count
      if quiet > 20 {
        for line in lines.indices {
          lines[line] += line < 2 ? " (\(quiet) times -) " : String(repeating: " ", count: "\(quiet)".count + 12)
        }
        frame += quiet
        continue
      }
      defer { frame += 1 }
      let cells = [drawn(frame), expected.drawn(frame), self[frame] == expected[frame] ? " " : "^"]
      let width = max(cells[0].count, cells[1].count)
      for line in lines.indices {
        lines[line] += cells[line] + String(repeating: " ", count: width - cells[line].count)
      }
    }
    return lines.joined(separator: "\n")
  }

  /// Records an issue if this diagram differs from the expected one.
  package func expect(_ expected: Diagram, _ what: String, _ sourceLocation: SourceLocation) {
    if self != expected {
      Issue.record("\(what)\n\(comparison(with: expected))", sourceLocation: sourceLocation)
    }
  }
}
