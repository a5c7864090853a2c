import FlowTesting
import LetterPages
import Nagare
import Randomness
import Testing
import WireJSON

@testable import ItemList
@testable import Paging

/// Sections, compared with sections that are computed from plain arrays each time.
@Suite struct SectionTests {
  // MARK: Counted runs

  private struct Pair {
    var runs = CountedRuns<Character>()
    var model: [Character] = []

    mutating func replace(_ range: Range<Int>, with keys: [Character]) {
      runs.replaceSubrange(range, with: keys)
      model.replaceSubrange(range, with: keys)
    }

    /// The fault of the runs that overlap a window; nil if there is none.
    func fault(in window: Range<Int>) -> String? {
      var expected: [String] = []
      var start = 0
      while start < model.count {
        let end = model[start...].firstIndex { $0 != model[start] } ?? model.count
        if (start..<end).overlaps(window) { expected.append("\(model[start])\(start..<end)") }
        start = end
      }
      var found: [String] = []
      runs.forEachRun(meeting: window) { found.append("\($0)\($1)") }
      if runs.count != model.count { return "\(runs.count) are counted, not \(model.count)" }
      return found == expected ? nil : "\(found) in place of \(expected) in \(window) of \(String(model))"
    }
  }

  @Test func `runs are correct after every splice of every short sequence`() {
    let words = (0...4).flatMap { length in
      (0..<1 << length).map { bits in (0..<length).map { bits >> $0 & 1 == 0 ? "a" : "b" as Character } }
    }
    for word in words {
      for start in 0...word.count {
        for end in start...word.count {
          for come in words.prefix(7) {
            var pair = Pair()
            pair.replace(0..<0, with: word)
            pair.replace(start..<end, with: come)
            let fault = pair.fault(in: 0..<pair.model.count)
            #expect(fault == nil, "\(word), \(start..<end) by \(come)")
          }
        }
      }
    }
  }

  @Test(arguments: 0..<20 as Range<UInt64>) func `runs are correct after many splices of a long sequence`(seed: UInt64)
  {
    var random = SplitMix64(seed: seed)
    var pair = Pair()
    let letters = Array("abc")
    for step in 0..<300 {
      let start = Int.random(in: 0...pair.model.count, using: &random)
      let most = step % 50 < 40 ? 30 : 300
      let end = min(pair.model.count, start + Int.random(in: 0...(step % 50 < 40 ? 10 : most), using: &random))
      let come = (0..<Int.random(in: 0...most / 2, using: &random)).map { _ in
        letters.randomElement(using: &random) ?? "a"
      }
      pair.replace(start..<end, with: come)
      let first = Int.random(in: 0...pair.model.count, using: &random)
      let fault = pair.fault(in: first..<min(pair.model.count, first + 40))
      if let fault {
        Issue.record("seed \(seed), step \(step): \(fault)")
        return
      }
    }
  }

  // MARK: Keys

  @Test(
    arguments: [
      (#"{"d":"2026-11-22T07:00"}"#, 10, #""2026-11-22""#),
      (#"{"d":"2026"}"#, 10, #""2026""#),
      (#"{"d":""}"#, 10, #""""#),
      (#"{"d":"\u0041bc"}"#, 1, #""A""#),
      (#"{"d":"a\"b"}"#, 2, #""a\"""#),
      (#"{"d":"日本語"}"#, 2, #""日本""#),
      (#"{"d":"e\u0301a"}"#, 1, "\"e\u{301}\""),
      ("{\"d\":\"e\u{301}a\"}", 1, "\"e\u{301}\""),
      ("{\"d\":\"👩‍👩‍👧x\"}", 1, "\"👩‍👩‍👧\""),
      (#"{"d":"abc"}"#, nil, #""abc""#),
      (#"{"d":"\u0061bc"}"#, nil, #""abc""#),
      (#"{"d":1.50}"#, 1, "15e-1"),
      (#"{"d":1.5e0}"#, nil, "15e-1"),
      (#"{"d":true}"#, 1, "true"),
      (#"{"d":null}"#, 1, "null"),
      (#"{}"#, 1, "null"),
      (#"{"d":{"a":1}}"#, 1, "null"),
      (#"{"d":[1]}"#, 1, "null"),
    ] as [(String, Int?, String)])
  func `the key is the start of a field's value, in its canonical spelling`(item: String, prefix: Int?, key: String)
    throws
  {
    #expect(SectionRule(by: "d", prefix: prefix).key(of: try RawJSON(item)).text == key)
  }

  @Test(arguments: [
    (String(repeating: "a", count: 500_000), 1000), (String(repeating: "日", count: 500_000), 3000),
    ("e" + String(repeating: "\u{301}", count: 250_000), 7999), (String(repeating: "a", count: 1000), 1000),
  ])
  func `without a prefix, 1,000 characters of a string are the key`(text: String, size: Int) throws {
    let key = SectionRule(by: "d").key(of: try RawJSON("{\"d\":\"\(text)\"}"))
    #expect(key.string.map { text.utf8.starts(with: $0.utf8) } == true && key.bytes.count == size + 2)
  }

  @Test func `a number with very many digits has the key null`() throws {
    let digits = String(repeating: "1", count: 500_000)
    #expect(SectionRule(by: "d").key(of: try RawJSON("{\"d\":\(digits)}")).text == "null")
  }

  @Test func `a key can be a field of a nested object`() throws {
    let rule = SectionRule(by: "from.name", prefix: 1)
    #expect(rule.key(of: try RawJSON(#"{"from":{"name":"Aoi"}}"#)).text == #""A""#)
    #expect(rule.key(of: try RawJSON(#"{"from":"Aoi"}"#)).text == "null")
  }

  // MARK: Lists with unloaded rows

  /// Items `a0`, `a1`, …: the letter is the key.
  private struct Rows {
    var list = SparseList()
    var model: [String?] = []
    var sections = ListSections(SectionRule(by: "k"))

    private func page(_ ids: [String]) -> RawItems {
      let text = ids.map { #"{"id":"\#($0)","k":"\#($0.prefix(1))"}"# }.joined(separator: ",")
      let array = (try? RawJSON("[\(text)]")) ?? .emptyArray
      return RawItems(arrayOf: array, id: "id") ?? RawItems(bytes: [], slices: [])
    }

    mutating func step(_ random: inout SplitMix64) {
      let place = Int.random(in: 0...model.count, using: &random)
      let fresh = (0..<Int.random(in: 1...4, using: &random)).map { _ in
        "\("aab".randomElement(using: &random) ?? "a")\(Int.random(in: 0..<100_000, using: &random))"
      }
      switch Int.random(in: 0..<5, using: &random) {
      case 0:
        list.write(page(fresh), at: place)
        while model.count < place + fresh.count { model.append(nil) }
        model.replaceSubrange(place..<place + fresh.count, with: fresh)
      case 1:
        let row = list.rows(in: 0..<place).upperBound
        let item = ItemList.Item(page(fresh), at: 0)
        if place == 0 || model[place - 1] != nil {
          list.insert(item, atRow: row, isAfterUnloaded: false)
          model.insert(fresh[0], at: place)
        }
      case 2:
        guard place < model.count, let id = model[place] else { return }
        list.remove(ItemID(id))
        model.remove(at: place)
      case 3:
        guard place < model.count, let row = list.row(at: place) else { return }
        list.evict(row..<row + 1)
        model[place] = nil
      default:
        let size = max(0, model.count + Int.random(in: -1...2, using: &random))
        list.resize(to: size)
        while model.count > size { model.remove(at: model.lastIndex { $0 == nil } ?? model.count - 1) }
        while model.count < size { model.append(nil) }
      }
    }

    /// The expected sections: from each row of the window, all adjacent rows with the same key.
    func expected(in window: Range<Int>, isCut: (start: Bool, end: Bool)) -> [ListSection] {
      var sections: [ListSection] = []
      for position in window {
        guard let key = model[position]?.prefix(1) else { continue }
        var (start, end) = (position, position + 1)
        while start > 0, model[start - 1]?.prefix(1) == key { start -= 1 }
        while end < model.count, model[end]?.prefix(1) == key { end += 1 }
        let isKnown = start > 0 ? model[start - 1] != nil : !isCut.start
        let isEndKnown = end < model.count ? model[end] != nil : !isCut.end
        if sections.last?.start == start { continue }
        sections.append(
          ListSection(key: String(key).json, start: start, count: isKnown && isEndKnown ? end - start : nil))
      }
      return sections
    }
  }

  @Test(arguments: 0..<40 as Range<UInt64>) func `sections are correct in a list with unloaded rows`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var rows = Rows()
    for step in 0..<200 {
      rows.step(&random)
      rows.sections.follow(rows.list.rows)
      let start = Int.random(in: 0...rows.model.count, using: &random)
      let window = start..<min(rows.model.count, start + Int.random(in: 0...8, using: &random))
      for isCut in [(false, false), (true, false), (false, true)] {
        for window in [window, 0..<rows.model.count] {
          let found = rows.sections.sections(meeting: window, of: rows.list, isCut: isCut)
          let expected = rows.expected(in: window, isCut: isCut)
          if found != expected {
            Issue.record("seed \(seed), step \(step), \(window) of \(rows.model): \(found), not \(expected)")
            return
          }
        }
      }
    }
  }

  // MARK: Lists

  private func texts(_ sections: [ListSection]) -> [String] {
    sections.map { "\($0.key.text) \($0.start) \($0.count.map(String.init) ?? "?")" }
  }

  struct Note: Codable, Identifiable, Equatable {
    let id: String
    var day = 1
  }

  @Test func `a view model gets sections by one line`() throws {
    let (m, load, move) = (Marbles(), Trigger(), Port<Note>())
    let state = Feedback(Paged<Note>(), on: m.clock)
    state.on(load) { list in if list.phase == .nothing { list.first() } else { list.next() } }
    state.on(move) { try $0.update($1) }
    state.react(to: \.self) { request in
      let first = request.key(first: 0)
      return .just(Page((first..<first + 3).map { Note(id: "\($0)", day: $0 / 2) }, next: first < 3 ? first + 3 : nil))
    }
    var said: [[String]] = []
    let bag = DisposeBag()
    state.sections(by: SectionRule(by: "day")).subscribe { said.append(texts($0)) }.disposed(by: bag)
    try load.send()
    try load.send()
    try move.send(Note(id: "2", day: 0))
    try move.send(Note(id: "2", day: 0))
    #expect(
      said == [
        [], ["0 0 2", "1 2 ?"], ["0 0 2", "1 2 2", "2 4 2"], ["0 0 3", "1 3 1", "2 4 2"],
      ])
  }
}
