public import Flow
internal import ItemList
public import WireJSON

/// Neighbours in a list that have one key.
public struct ListSection: Record, Equatable, Sendable {
  /// What they have in common: a text, a number, true, false or null.
  public let key: RawJSON
  /// The position of the first; of the first that is read, where what stands before it isn't.
  public let start: Int
  /// How many they are; nil where nobody knows, because what stands before them or after them isn't read.
  public let count: Int?

  /// Its members on the wire.
  public static let fields = Fields(
    ListSection.init,
    Field("key", \.key, "The value that the items share: a text, a number, true, false or null."),
    Field("start", \.start, "The position of the section's first item in the list, from 0."),
    Field(nullable: "count", \.count, "The number of items; null if not all of them are loaded."))

  /// An object with all three members.
  public static var schema: JSONSchema {
    var schema = JSONSchema(properties: fields.properties).titled("ListSection")
      .described("Consecutive items of a list that share a value.")
    schema.properties[0].schema.types = [.string, .number, .boolean, .null]
    schema.properties[2].isRequired = true
    return schema
  }
}

/// The sections of the rows that are read, which follow what changes in the list.
struct ListSections {
  private let rule: SectionRule
  private var rows = ItemList()
  private var runs = CountedRuns<RawJSON>()

  init(_ rule: SectionRule) { self.rule = rule }

  /// Counts what is different in other rows.
  mutating func follow(_ rows: ItemList) {
    if rows.isIdentical(to: self.rows) { return }
    for splice in ItemList.splices(from: self.rows, to: rows) {
      runs.replaceSubrange(
        splice.start..<splice.start + splice.deleteCount,
        with: rows.items(in: splice.items).map { rule.key(of: $0.json) })
    }
    self.rows = rows
  }

  /// The sections that meet the rows at some positions, in their order. `isCut` says whether the list's source has more
  /// before the first row, and after the last.
  func sections(meeting window: Range<Int>, of list: SparseList, isCut: (start: Bool, end: Bool)) -> [ListSection] {
    var sections: [ListSection] = []
    var position = 0
    for run in list.runs(in: 0..<list.count) {
      guard case .rows(let rows) = run else {
        if case .unread(let count) = run { position += count }
        continue
      }
      let (read, distance) = (position..<position + rows.count, position - rows.lowerBound)
      position = read.upperBound
      let seen = read.clamped(to: window)
      if seen.isEmpty { continue }
      runs.forEachRun(meeting: seen.lowerBound - distance..<seen.upperBound - distance) { key, range in
        let part = range.clamped(to: rows)
        let (start, end) = (part.lowerBound + distance, part.upperBound + distance)
        let isWhole =
          (start == 0 ? !isCut.start : start > read.lowerBound)
          && (end == list.count ? !isCut.end : end < read.upperBound)
        sections.append(ListSection(key: key, start: start, count: isWhole ? part.count : nil))
      }
    }
    return sections
  }
}

extension Paged {
  /// The sections of the rows that are shown: of all, or of those in the window.
  fileprivate func sections(by counted: Counted) -> [ListSection] {
    let (shown, isCut) = (shown, (start: core.value.hasPrevious, end: hasMore))
    // Most steps leave the list as it is: what is to come, say, or a load that begins.
    if let last = counted.last, last.shown.isSameVersion(as: shown), last.isCut == isCut { return last.sections }
    counted.rows.follow(shown.rows)
    let sections = counted.rows.sections(
      meeting: shown.window ?? 0..<shown.list.count, of: shown.list, isCut: isCut)
    counted.last = (shown, isCut, sections)
    return sections
  }
}

extension Projection {
  /// The sections of a list, as an output: neighbours that have a member in common, or what its text begins with.
  ///
  /// ```swift
  /// sections: state.articles.sections(by: SectionRule(by: "date", prefix: 10))
  /// ```
  /// A change costs what changes, and not what the list has.
  ///
  /// - Parameter rule: by what the items are put into sections.
  /// - Returns: the sections of all rows, or of those in the window.
  public func sections<Item>(by rule: SectionRule) -> Driver<[ListSection]> where Value == Paged<Item> {
    // What was counted last makes the next counting short, and has no part in what comes of it.
    let counted = Counted(rule)
    return map { $0.sections(by: counted) }
  }
}

extension Feedback {
  /// The sections of a list that is the whole state: see ``Projection/sections(by:)``.
  public func sections<Item>(by rule: SectionRule) -> Driver<[ListSection]> where State == Paged<Item> {
    let list: Projection<State, Paged<Item>> = self[dynamicMember: \.self]
    return list.sections(by: rule)
  }
}

private final class Counted {
  var rows: ListSections
  var last: (shown: ListSnapshot, isCut: (start: Bool, end: Bool), sections: [ListSection])?

  init(_ rule: SectionRule) { rows = ListSections(rule) }
}
