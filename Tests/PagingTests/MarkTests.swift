import LetterPages
import Nagare
import Testing
import WireJSON

@testable import Paging

/// Marks, compared with a set, in lists of a few letters and in every order of a few events.
@Suite struct MarkTests {
  enum Event: Hashable {
    /// The user marks, unmarks, and removes.
    case mark(Character), unmark(Character), range(Character, Character), all, none, remove(Character), removeMarked
    /// The source makes or refuses the oldest edit.
    case make, refuse
    /// The source reports that a row was removed, or added at the end.
    case gone(Character), come(Character)
    /// The next page loads; the query changes.
    case page, search
  }

  /// A list, and a model of its marks.
  private struct World {
    private(set) var list: Paged<RawJSON>
    private let isAtOnce: Bool
    private(set) var history: [Event] = []
    private(set) var fault: String?
    private var states = 0
    /// The loaded rows of the source.
    private var rows = Array("abc")
    private var hasMore = true
    /// The marked letters, among all that exist or that an unanswered removal has removed. `isAll` means that new items
    /// are marked too.
    private var marked: Set<Character> = []
    private var isAll = false
    /// A removal that the source hasn't answered.
    private struct Removal {
      let number: Int
      /// The letters that it removes.
      var ids: Set<Character>
      /// Whether it removes all marked items by one edit; and if it removes all matching items, the exceptions.
      var isWhole = false
      var exceptions: Set<Character>?
      /// The letters that are marked again if it is refused; and whether all items except the exceptions are.
      var marked: Set<Character> = []
      var bringsAll = false
    }
    private var removals: [Removal] = []
    private var lastEdit = 0
    private var query = ""

    init(isAtOnce: Bool) {
      self.isAtOnce = isAtOnce
      list = Paged(
        PagingOptions(pageSize: 3, onRefresh: .keep, hasMarks: true),
        source: SourceCapabilities(writes: isAtOnce ? [.remove, .marked] : [.remove]))
      list.step { $0.follow() }
      list.first()
      try? list.receive(SourceChanges(state: "0"))
      take("abc", next: "2")
    }

    private mutating func take(_ letters: String, next: String?) {
      var answer = page(letters, next: next)
      answer.state = "\(states)"
      do { try list.come(answer) } catch { fault = "\(error)" }
    }

    private var hidden: Set<Character> { removals.reduce(into: []) { $0.formUnion($1.ids) } }
    private var listed: [Character] { rows.filter { !hidden.contains($0) } }

    func canPerform(_ event: Event) -> Bool {
      switch event {
      case .mark(let id), .unmark(let id), .remove(let id): listed.contains(id)
      case .range(let from, let to): listed.contains(from) && listed.contains(to)
      case .all, .none, .search: true
      // This source doesn't report the removal of an item that the user is removing.
      case .gone(let id): rows.contains(id) && !hidden.contains(id)
      case .come(let id): !rows.contains(id) && !hasMore && !hidden.contains(id)
      case .removeMarked: isAtOnce || !isAll || !hasMore
      case .make, .refuse: !removals.isEmpty
      case .page: hasMore
      }
    }

    mutating func perform(_ event: Event) {
      history.append(event)
      do {
        switch event {
        case .mark(let id):
          try list.mark(Marking(id: ItemID(String(id))))
          marked.insert(id)
        case .unmark(let id):
          try list.unmark(Marking(id: ItemID(String(id))))
          marked.remove(id)
        case .range(let from, let to):
          try list.mark(Marking(from: ItemID(String(from)), to: ItemID(String(to))))
          let places = [from, to].compactMap(listed.firstIndex).sorted()
          marked.formUnion(listed[places[0]...places[1]])
        case .all, .none:
          let isAll = event == .all
          try isAll ? list.mark(Marking(all: true)) : list.unmark(Marking(all: true))
          self.isAll = isAll
          marked = isAll ? Set(rows) : []
          forgetSaved()
        case .remove(let id):
          list.remove(ItemID(String(id)))
          expect([[id]])
        case .removeMarked: try removeMarked()
        case .make: answer(isMade: true)
        case .refuse: answer(isMade: false)
        case .gone(let id):
          say(.remove(ItemID(String(id))))
          rows.removeAll { $0 == id }
          marked.remove(id)
        case .come(let id):
          say(.insert(ItemList.Item(page(String(id)).items, at: 0), .end))
          rows.append(id)
          if isAll { marked.insert(id) }
        case .page:
          list.next()
          let come = rows.contains("d") || hidden.contains("d") ? "e" : "d"
          take(come, next: nil)
          hasMore = false
          rows.append(Character(come))
          if isAll { marked.insert(Character(come)) }
          if let whole = removals.firstIndex(where: { $0.exceptions.map { !$0.contains(Character(come)) } ?? false }) {
            removals[whole].ids.insert(Character(come))
          }
        case .search: search()
        }
      } catch { fault = "\(error)" }
      check()
    }

    private mutating func forgetSaved() {
      for index in removals.indices { (removals[index].marked, removals[index].bringsAll) = ([], false) }
    }

    /// Changes the query. The new query has the same rows.
    private mutating func search() {
      query += "x"
      list.search(query)
      try? list.receive(SourceChanges(state: "\(states)"))
      take("abc", next: "2")
      (marked, isAll) = ([], false)
      forgetSaved()
      for index in removals.indices { removals[index].exceptions = nil }
      (rows, hasMore) = (Array("abc"), true)
    }

    private mutating func say(_ change: SourceChanges<RawJSON>.Change) {
      try? list.receive(SourceChanges([change], since: "\(states)", state: "\(states + 1)"))
      states += 1
      list.pace.cancel()
      list.endPause()
      list.rest.cancel()
      list.endRest()
    }

    private mutating func removeMarked() throws {
      let ids = listed.filter(marked.contains)
      let order = list.marks.ids.compactMap { $0.raw.string?.first }
      let exceptions = isAll ? Set(rows).subtracting(marked) : nil
      try list.removeMarked()
      if isAtOnce {
        if isAll || !ids.isEmpty { expect([Set(ids)]) } else { return }
        let last = removals.count - 1
        removals[last].isWhole = true
        removals[last].exceptions = exceptions
        (removals[last].marked, removals[last].bringsAll) = (Set(ids), isAll)
        marked = isAll ? [] : marked.subtracting(ids)
      } else {
        expect((isAll ? ids : order).map { [$0] })
        if isAll { marked = Set(ids) }
      }
      isAll = false
    }

    /// Records the edits that were sent to the source.
    private mutating func expect(_ edits: [Set<Character>]) {
      let numbers = list.unansweredEdits.filter { $0 > lastEdit }
      guard numbers.count == edits.count else {
        fault = "not \(edits.count) edits are made"
        return
      }
      for (number, ids) in zip(numbers, edits) { removals.append(Removal(number: number, ids: ids)) }
      lastEdit = numbers.last ?? lastEdit
    }

    private mutating func answer(isMade: Bool) {
      let removal = removals.removeFirst()
      if isMade {
        list.edits.receiveMade(removal.number)
        for id in removal.ids { say(.remove(ItemID(String(id)))) }
        rows.removeAll(where: removal.ids.contains)
        marked.subtract(removal.ids)
        // Changes that the list may have missed make it reload.
        if list.isLoading {
          take(String(rows), next: hasMore && !rows.isEmpty ? "2" : nil)
          hasMore = hasMore && !rows.isEmpty
        }
      } else {
        list.edits.end(removal.number, failure: nil)
        guard removal.isWhole else { return }
        marked.formUnion(removal.marked)
        if removal.bringsAll {
          isAll = true
          marked.formUnion(Set(rows).subtracting(removal.exceptions ?? []))
        }
      }
    }

    private mutating func check() {
      let shown = list.items.letters
      let (marks, expected) = (list.marks, listed.filter(marked.contains))
      let named = Set(marks.ids.compactMap { $0.raw.string?.first })
      let found = shown.filter { named.contains($0) != marks.all }
      if shown != String(listed) { fault = fault ?? "\(shown) is listed, not \(String(listed))" }
      if found != String(expected) { fault = fault ?? "\(found) is marked, not \(String(expected))" }
      if marks.all != isAll { fault = fault ?? "all is \(marks.all)" }
      if !named.isSubset(of: shown) { fault = fault ?? "\(named) are named, and \(shown) is listed" }
      if marks.count != (isAll && hasMore ? nil : expected.count) {
        fault = fault ?? "\(marks.count ?? -1) are counted"
      }
    }

    func explore(_ events: [Event], _ depth: Int) {
      for event in events where canPerform(event) {
        var next = self
        next.perform(event)
        if let fault = next.fault {
          Issue.record("\(fault) after \(next.history)")
          return
        }
        if depth > 1 { next.explore(events, depth - 1) }
      }
    }
  }

  private static let events: [Event] = [
    .mark("a"), .unmark("b"), .range("c", "a"), .all, .none, .remove("a"), .removeMarked, .make, .refuse, .gone("b"),
    .page, .search,
  ]

  @Test(arguments: [false, true], events) func `marks equal a plain set after four events in any order`(
    isAtOnce: Bool, first: Event
  ) {
    var world = World(isAtOnce: isAtOnce)
    guard world.canPerform(first) else { return }
    world.perform(first)
    world.explore(Self.events + [.come("x")], 4)
  }
}
