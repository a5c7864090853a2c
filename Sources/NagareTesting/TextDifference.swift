/// The lines in which two texts differ, with the lines around them.
struct TextDifference {
  /// The number of equal lines that are shown before and after a difference.
  private static let context = 2

  /// The lines, each with its line number in the first text:
  ///
  /// ```
  ///   3   --> {"method":"increment"}
  ///   4 - <-- {"value":1}
  ///     + <-- {"value":2}
  ///                    ^
  /// ```
  let text: String

  init(from old: String, to new: String) {
    let entries = TextDifference.entries(TextDifference.lines(old), TextDifference.lines(new))
    var shown: [String] = []
    var last = -1
    for (index, entry) in entries.enumerated() {
      let near = entries[max(0, index - Self.context)..<min(entries.count, index + Self.context + 1)]
      guard near.contains(where: { $0.sign != " " }) else { continue }
      if index > last + 1 { shown.append("  …") }
      last = index
      shown.append(entry.text)
      // If exactly one line replaces one other line.
      let around = (index - 2...index + 1).map { entries.indices.contains($0) ? entries[$0].sign : " " }
      if around[1...2] == ["-", "+"], around[0] != "-", around[3] != "+" {
        shown.append(TextDifference.pointer(entries[index - 1], entry))
      }
    }
    if last >= 0, last < entries.count - 1 { shown.append("  …") }
    text = shown.joined(separator: "\n")
  }

  private struct Entry {
    /// The line's number in the first text; nil for a line of the second.
    let number: Int?
    /// `-` for a line of the first text, `+` for a line of the second, a space for a line of both.
    let sign: Character
    let line: Substring

    var text: String {
      let number = number.map { "\($0)" } ?? ""
      return String(repeating: " ", count: max(0, 3 - number.count)) + "\(number) \(sign) \(line)"
    }
  }

  private static func lines(_ text: String) -> [Substring] {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    if lines.last == "" { lines.removeLast() }
    return lines
  }

  /// Merges the lines of both texts. Where the texts differ, the lines of the first come before those of the second.
  private static func entries(_ old: [Substring], _ new: [Substring]) -> [Entry] {
    var (removed, inserted) = (Set<Int>(), Set<Int>())
    for change in new.difference(from: old) {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): inserted.insert(offset)
      }
    }
    var entries: [Entry] = []
    var (at, to) = (0, 0)
    while at < old.count || to < new.count {
      if removed.contains(at) {
        entries.append(Entry(number: at + 1, sign: "-", line: old[at]))
        at += 1
      } else if inserted.contains(to) {
        entries.append(Entry(number: nil, sign: "+", line: new[to]))
        to += 1
      } else {
        entries.append(Entry(number: at + 1, sign: " ", line: old[at]))
        (at, to) = (at + 1, to + 1)
      }
    }
    return entries
  }

  /// A line that points at the first character in which two lines differ.
  private static func pointer(_ old: Entry, _ new: Entry) -> String {
    let same = zip(old.text.dropFirst(6), new.text.dropFirst(6)).prefix { $0 == $1 }.count
    return String(repeating: " ", count: same + 6) + "^"
  }
}
