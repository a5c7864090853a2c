import Nagare
import WireJSON

@testable import Paging

/// What is marked in a list of letters, as a person would keep it: a set, in which all others may be as well.
struct MarkModel {
  /// All letters that there may be.
  private static let letters = Set("abcdefghijklx")
  private(set) var marked: Set<Character> = []
  /// Whether what comes in is marked.
  private(set) var isAll = false
  /// What was marked before a removal of all that, by the edit's number.
  private var saved: [Int: (marked: Set<Character>, isAll: Bool)] = [:]
  /// Those that have gone, and may have come back before anybody heard of it.
  private var unsure: Set<Character> = []

  mutating func set(_ id: Character, _ isMarked: Bool) {
    if isMarked { marked.insert(id) } else { marked.remove(id) }
  }

  mutating func setAll(_ isMarked: Bool) { (isAll, marked, saved) = (isMarked, isMarked ? Self.letters : [], [:]) }

  /// All that is marked is removed by an edit, but for what is about to go already.
  mutating func takeAll(but going: Set<Character>, for edit: Int) {
    saved[edit] = (isAll ? marked : marked.subtracting(going), isAll)
    marked = isAll ? [] : marked.intersection(going)
    isAll = false
  }

  /// Each item that is marked is removed by itself.
  mutating func name(_ listed: Set<Character>) {
    if isAll { (marked, isAll, saved) = (marked.intersection(listed), false, [:]) }
  }

  /// An edit was answered.
  mutating func end(_ edit: Int, isRefused: Bool) {
    guard let saved = saved.removeValue(forKey: edit), isRefused else { return }
    marked.formUnion(saved.marked)
    isAll = isAll || saved.isAll
  }

  /// Some letters have gone, whether anybody has heard of it or not.
  mutating func lose(_ ids: some Sequence<Character>) { unsure.formUnion(ids) }

  /// Forgets what isn't there any more. What isn't listed may still come if not all rows are read: then it stays an exception
  /// of all that is marked.
  mutating func keep(_ ids: Set<Character>, isWhole: Bool = true) {
    let gone = Self.letters.subtracting(ids)
    func kept(_ marked: Set<Character>, _ isAll: Bool) -> Set<Character> {
      if isAll { isWhole ? marked.union(gone) : marked } else { marked.subtracting(gone) }
    }
    marked = kept(marked, isAll)
    for (edit, set) in saved { saved[edit]?.marked = kept(set.marked, set.isAll) }
  }

  /// Looks at the marks of a list at rest. What nobody can know is taken as it is said.
  ///
  /// - Parameters:
  ///   - marks: the marks.
  ///   - rows: the rows that there are.
  ///   - isSure: whether the list has heard of all that has gone.
  /// - Returns: what is wrong with them; nil if nothing is.
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
