import Nagare
import WireJSON

@testable import Paging

/// A simple model of the marks in a list of letters: a set, and whether all other letters are marked too.
struct MarkModel {
  /// All possible letters.
  private static let letters = Set("abcdefghijklx")
  private(set) var marked: Set<Character> = []
  /// Whether new items are marked.
  private(set) var isAll = false
  /// The marks before a removal of all marked items, by the number of the edit.
  private var saved: [Int: (marked: Set<Character>, isAll: Bool)] = [:]
  /// The letters that were removed, and may have come back before the list noticed the removal.
  private var unsure: Set<Character> = []

  mutating func set(_ id: Character, _ isMarked: Bool) {
    if isMarked { marked.insert(id) } else { marked.remove(id) }
  }

  mutating func setAll(_ isMarked: Bool) { (isAll, marked, saved) = (isMarked, isMarked ? Self.letters : [], [:]) }

  /// Clears the marks, because an edit removes all marked items. Items that another edit is removing already stay
  /// marked.
  mutating func takeAll(but going: Set<Character>, for edit: Int) {
    saved[edit] = (isAll ? marked : marked.subtracting(going), isAll)
    marked = isAll ? [] : marked.intersection(going)
    isAll = false
  }

  /// Replaces "all" by names, because each marked item is removed by a separate edit.
  mutating func name(_ listed: Set<Character>) {
    if isAll { (marked, isAll, saved) = (marked.intersection(listed), false, [:]) }
  }

  /// Handles the answer to an edit.
  mutating func end(_ edit: Int, isRefused: Bool) {
    guard let saved = saved.removeValue(forKey: edit), isRefused else { return }
    marked.formUnion(saved.marked)
    isAll = isAll || saved.isAll
  }

  /// Records that letters were removed at the source, whether or not the list knows it yet.
  mutating func lose(_ ids: some Sequence<Character>) { unsure.formUnion(ids) }

  /// Forgets letters that don't exist any more. If not all rows are loaded, an unlisted item may still come, so it
  /// stays an exception of "all".
  mutating func keep(_ ids: Set<Character>, isWhole: Bool = true) {
    let gone = Self.letters.subtracting(ids)
    func kept(_ marked: Set<Character>, _ isAll: Bool) -> Set<Character> {
      if isAll { isWhole ? marked.union(gone) : marked } else { marked.subtracting(gone) }
    }
    marked = kept(marked, isAll)
    for (edit, set) in saved { saved[edit]?.marked = kept(set.marked, set.isAll) }
  }

  /// Compares the model with the marks of an idle list. Where the list can't know better, its marks are accepted.
  ///
  /// - Parameters:
  ///   - marks: the marks.
  ///   - rows: the rows of the source.
  ///   - isSure: whether the list has received all removals.
  /// - Returns: the fault; nil if there is none.
  mutating func fault(of marks: Marks, in rows: [Character], isSure: Bool) -> String? {
    keep(Set(rows))
    let all = marks.ids.compactMap { $0.raw.string?.first }
    let named = isSure ? all : all.filter(rows.contains)
    for id in unsure.intersection(rows) { set(id, named.contains(id) != marks.all) }
    unsure = []
    let expected = rows.filter { marked.contains($0) != isAll }
    let count = isAll ? rows.count - all.count : all.count
    if marks.all != isAll || named.sorted() != expected.sorted() || marks.count ?? count != count {
      return "\(marks) are marked, not \(isAll ? "all but " : "")\(expected)"
    }
    return nil
  }
}
