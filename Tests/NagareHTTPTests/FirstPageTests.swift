import Randomness
import Testing
import WireJSON

@testable import NagareHTTP

@Suite struct FirstPageTests {
  private func page(_ items: [(String, Int)], isLast: Bool) throws -> FirstPage {
    let text = items.map { "{\"id\":\"\($0.0)\",\"n\":\($0.1)}" }.joined(separator: ",")
    let page = HTTPPage(items: try RawJSON("[\(text)]"), next: isLast ? nil : 2.json, previous: nil, total: nil)
    return FirstPage(page, size: 20, id: "id")
  }

  private func changes(_ old: FirstPage, _ new: FirstPage) -> RawJSON? {
    old.changes(to: new).map { write in
      var writer = JSONWriter()
      writer.beginObject()
      write(&writer)
      writer.endObject()
      return RawJSON(trusting: writer.bytes, 0..<writer.bytes.count).member("changes") ?? .null
    }
  }

  /// Applies changes to rows, as a list does.
  private func apply(_ changes: RawJSON, to rows: [(String, Int)]) -> [(String, Int)] {
    var rows = rows
    for change in changes.elements {
      if let id = change.member("remove")?.string { rows.removeAll { $0.0 == id } }
      let item = change.member("change") ?? change.member("insert")
      guard let id = item?.member("id")?.string, let number = item?.member("n")?.int else { continue }
      if change.member("change") != nil {
        for index in rows.indices where rows[index].0 == id { rows[index].1 = number }
      } else {
        rows.removeAll { $0.0 == id }
        let place = change.member("after")?.string.flatMap { after in rows.firstIndex { $0.0 == after } }
        rows.insert((id, number), at: place.map { $0 + 1 } ?? 0)
      }
    }
    return rows
  }

  @Test func `equal pages give no changes`() throws {
    let page = try page([("a", 1), ("b", 2)], isLast: false)
    #expect(changes(page, page) == nil)
  }

  @Test func `pages without a common item are reported as all changed`() throws {
    #expect(changes(try page([("a", 1)], isLast: true), try page([("b", 1)], isLast: true))?.string == "all")
  }

  @Test func `an item that may have moved to the next page isn't removed`() throws {
    let old = try page([("a", 1), ("b", 1), ("c", 1)], isLast: false)
    let new = try page([("x", 1), ("a", 1), ("b", 1)], isLast: false)
    #expect(changes(old, new)?.text == #"[{"insert":{"id":"x","n":1}}]"#)
    let last = try page([("a", 1), ("b", 1)], isLast: true)
    #expect(changes(old, last)?.text == #"[{"remove":"c"}]"#)
  }

  @Test func `changes turn any page into any other`() throws {
    var random = SplitMix64(seed: 1)
    for _ in 1...3000 {
      func rows() -> [(String, Int)] {
        "abcdefgh".shuffled(using: &random).prefix(Int.random(in: 0...8, using: &random)).map { id in
          (String(id), Int.random(in: 0...1, using: &random))
        }
      }
      let (old, new) = (rows(), rows())
      let changes = changes(try page(old, isLast: true), try page(new, isLast: true))
      if changes?.string == "all" { continue }
      let found = apply(changes ?? .emptyArray, to: old)
      #expect(found.map(\.0) == new.map(\.0) && found.map(\.1) == new.map(\.1), "from \(old) to \(new)")
    }
  }
}
