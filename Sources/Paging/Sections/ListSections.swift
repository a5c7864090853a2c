public import Flow
internal import ItemList
public import WireJSON

/// A section of a list: consecutive rows with the same key.
public struct ListSection: Record, Equatable, Sendable {
  /// The rows' common key: a string, a number, true, false or null.
  public let key: RawJSON
  /// The position of the section's first row. If rows before it aren't loaded, it is the first loaded one.
  public let start: Int
  /// The number of rows; nil if it is unknown because the rows before or after the section aren't loaded.
  public let count: Int?

  /// The fields on the wire.
  public static let fields = Fields(
    ListSection.init,
    Field("key", \.key, "The value that the items share: a text, a number, true, false or null."),
    Field("start", \.start, "The position of the section's first item in the list, from 0."),
    Field(nullable: "count", \.count, "The number of items; null if not all of them are loaded."))

  /// An object in which all three fields are always present.
  public static var schema: JSONSchema {
    var schema = JSONSchema(properties: fields.properties).titled("ListSection")
      .described("Consecutive items of a list that share a value.")
    schema.properties[0].schema.types = [.string, .number, .boolean, .null]
    schema.properties[2].isRequired = true
    return schema
  }
}

/// The sections of the loaded rows. Each update processes only the rows that changed.
struct ListSections {
  private let rule: SectionRule
  private var rows = ItemList()
  private var runs = CountedRuns<RawJSON>()

  init(_ rule: SectionRule) { self.rule = rule }

  /// Updates the sections to new rows.
  mutating func follow(_ rows: ItemList) {
    if rows.isIdentical(to: self.rows) { return }
    for splice in ItemList.splices(from: self.rows, to: rows) {
      runs.replaceSubrange(
        splice.start..<splice.start + splice.deleteCount,
        with: rows.items(in: splice.items).map { rule.key(of: $0.json) })
    }
    self.rows = rows
  }

  /// The sections that overlap a window, in order. `isCut` means that the source has more rows before the first row, or
  /// after the last one.
  func sections(meeting window: Range<Int>, of list: SparseList, isCut: (start: Bool, end: Bool)) -> [ListSection] {
    var sections: [ListSection] = []
    var position = 0
    for run in list.runs(in: 0..<list.count) {
      guard case .rows(let rows) = run else {
        if case .unloaded(let count) = run { position += count }
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
  /// The sections of the rows that the client receives.
  fileprivate func sections(by counted: Counted) -> [ListSection] {
    let (shown, isCut) = (shown, (start: core.value.hasPrevious, end: hasMore))
    // Most steps don't change the rows: for example, a load begins.
    if let last = counted.last, last.shown.isSameVersion(as: shown), last.isCut == isCut { return last.sections }
    counted.rows.follow(shown.rows)
    let sections = counted.rows.sections(
      meeting: shown.window ?? 0..<shown.list.count, of: shown.list, isCut: isCut)
    counted.last = (shown, isCut, sections)
    return sections
  }
}

extension Projection {
  /// The sections of a list, as an output. A section has consecutive rows in which a field has the same value, or
  /// begins with the same characters.
  ///
  /// ```swift
  /// sections: state.articles.sections(by: SectionRule(by: "date", prefix: 10))
  /// ```
  /// The cost depends on the changes, not on the length of the list.
  ///
  /// - Parameter rule: how items are grouped into sections.
  /// - Returns: the sections of all rows, or of those in the window.
  public func sections<Item>(by rule: SectionRule) -> Driver<[ListSection]> where Value == Paged<Item> {
    // The last result speeds up the next computation and doesn't affect its outcome.
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
