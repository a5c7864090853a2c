import Flow
import Paging
import RPC
import Randomness
import Testing
import WireJSON

@testable import PageSources

/// The value of a field or of a filter, without JSON.
private indirect enum Value: Equatable {
  case number(Double)
  case text(String)
  case flag(Bool)
  case null
  case list([Value])
  case object([(String, Value)])

  /// The value in one of its JSON spellings.
  func json(using random: inout SplitMix64) -> String {
    switch self {
    case .number(let number):
      let plain = number == number.rounded() ? String(Int(number)) : String(number)
      return [plain, plain + (plain.contains(".") ? "0" : ".0"), plain + "e0"].randomElement(using: &random) ?? plain
    case .text(let text):
      let escaped = text.utf16.map { "\\u" + String(0x1_0000 + Int($0), radix: 16).dropFirst() }.joined()
      return Bool.random(using: &random) ? "\"\(text)\"" : "\"\(escaped)\""
    case .flag(let flag): return String(flag)
    case .null: return "null"
    case .list(let values): return "[\(values.map { $0.json(using: &random) }.joined(separator: ", "))]"
    case .object(let members):
      return "{\(members.map { "\"\($0)\":\($1.json(using: &random))" }.joined(separator: ","))}"
    }
  }

  static func == (left: Value, right: Value) -> Bool {
    switch (left, right) {
    case (.number(let one), .number(let other)): one == other
    case (.text(let one), .text(let other)): one.utf8.elementsEqual(other.utf8)
    case (.flag(let one), .flag(let other)): one == other
    case (.null, .null): true
    default: false
    }
  }

  /// All values at a path, with the elements of lists.
  func leaves(_ path: ArraySlice<String>) -> [Value] {
    if case .list(let values) = self { return values.flatMap { $0.leaves(path) } }
    guard let name = path.first else { return [self] }
    guard case .object(let members) = self else { return [] }
    return members.first { $0.0 == name }?.1.leaves(path.dropFirst()) ?? []
  }

  func lies(from: Value?, to: Value?) -> Bool { from.map { $0.isAtMost(self) } != false && to.map(isAtMost) != false }

  private func isAtMost(_ other: Value) -> Bool {
    switch (self, other) {
    case (.number(let one), .number(let other)): one <= other
    case (.text(let one), .text(let other)): !other.unicodeScalars.lexicographicallyPrecedes(one.unicodeScalars)
    default: false
    }
  }
}

private struct Asked {
  enum Kind { case one(Value), list([Value]), range(from: Value?, to: Value?) }
  let path: String
  let kind: Kind

  func finds(_ item: Value) -> Bool {
    item.leaves(path.split(separator: ".").map(String.init)[...]).contains { leaf in
      switch kind {
      case .one(let value): leaf == value
      case .list(let values): values.contains(leaf)
      case .range(let from, let to): leaf.lies(from: from, to: to)
      }
    }
  }

  func json(using random: inout SplitMix64) -> String {
    switch kind {
    case .one(let value): return value.json(using: &random)
    case .list(let values): return Value.list(values).json(using: &random)
    case .range(let from, let to):
      return Value.object([from.map { ("from", $0) }, to.map { ("to", $0) }].compactMap { $0 }).json(using: &random)
    }
  }
}

extension SplitMix64 {
  fileprivate mutating func chance(_ count: Int) -> Int { Int.random(in: 0..<count, using: &self) }

  fileprivate mutating func scalar() -> Value {
    switch chance(5) {
    case 0, 1: .number([-1.5, -1, 0, 0.25, 1, 2, 10][chance(7)])
    case 2, 3: .text(["", "a", "A", "b", "é", "e\u{301}", "日", "\u{1F600}"][chance(8)])
    default: chance(2) == 0 ? .flag(chance(2) == 0) : .null
    }
  }

  fileprivate mutating func value(depth: Int = 0) -> Value {
    switch depth < 2 ? chance(6) : 0 {
    case 4: return .list((0..<chance(4)).map { _ in value(depth: depth + 1) })
    case 5: return .object(["b", "c"].shuffled(using: &self).prefix(chance(3)).map { ($0, value(depth: depth + 1)) })
    default: return scalar()
    }
  }

  private mutating func bound() -> Value {
    while true {
      switch scalar() {
      case .flag, .null: continue
      case let bound: return bound
      }
    }
  }

  fileprivate mutating func asked() -> Asked {
    let kind: Asked.Kind
    switch chance(3) {
    case 0: kind = .list((0..<chance(4)).map { _ in scalar() })
    case 1:
      let from = chance(3) > 0 ? bound() : nil
      kind = .range(from: from, to: from == nil || chance(2) == 0 ? bound() : nil)
    default: kind = .one(scalar())
    }
    // A filter that is null has no effect.
    if case .one(.null) = kind { return asked() }
    return Asked(path: ["a", "b", "a.b", "a.c", "a.b.c", "d"][chance(6)], kind: kind)
  }
}

/// For any items and filters, a source finds the same items as a simple filter.
@Suite struct ItemFilterTests {
  @Test(arguments: 0..<40) func `filtered pages of a file equal a simple filter`(seed: Int) throws {
    var random = SplitMix64(seed: seed)
    let clock = VirtualScheduler()
    let items = (0..<random.chance(60)).map { number in
      Value.object(
        [("id", .number(Double(number)))]
          + ["a", "b"].filter { _ in random.chance(5) > 0 }.map { ($0, random.value()) })
    }
    let texts = items.map { $0.json(using: &random) }
    let file = TemporaryFile(texts.joined(separator: "\n"))
    var limits = FileSource.Limits()
    limits.window = [16, 100, 4096][random.chance(3)]
    limits.turn = [1, 500, 1 << 20][random.chance(3)]
    let source = FileSource(path: file.path, name: "f", id: "id", limits: limits, on: clock).source
    for _ in 0..<12 {
      let asked = Dictionary((0..<1 + random.chance(2)).map { _ in random.asked() }.map { ($0.path, $0) }) { first, _ in
        first
      }
      let json = "{\(asked.values.map { "\"\($0.path)\":\($0.json(using: &random))" }.joined(separator: ","))}"
      var request = PageRequest(filters: try Filters(json: RawJSON(json)), size: 1 + random.chance(9))
      var found: [String] = []
      repeat {
        let page = try #require(source.outcome(request, on: clock).page, "\(json)")
        found += page.texts
        request.key = page.next
      } while request.key != nil
      let expected = items.indices.filter { place in asked.values.allSatisfy { $0.finds(items[place]) } }.map {
        texts[$0]
      }
      #expect(found == expected, "seed \(seed): \(json)")
    }
    withExtendedLifetime(file) {}
  }

  @Test(arguments: 0..<40) func `filtered and sorted demo pages equal a simple filter`(seed: Int) throws {
    var random = SplitMix64(seed: seed)
    let clock = VirtualScheduler()
    let source = DemoSource(.shops, on: clock).source
    let shops = try source.listing(size: 100, on: clock).items.map { try RawJSON($0) }
    func number(_ shop: RawJSON, _ name: String) -> Double { Double(shop.member(name)?.text ?? "") ?? .nan }
    func text(_ shop: RawJSON, _ name: String) -> String { shop.member(name)?.string ?? "" }
    for _ in 0..<10 {
      let genres = ["ramen", "curry", "sushi", "none"].filter { _ in random.chance(2) == 0 }
      let (low, sort) = (500 + random.chance(1500), ["price", "rating", "name", "area", "none"][random.chance(5)])
      let falls = random.chance(2) == 0
      let json =
        #"{"genre":[\#(genres.map { "\"\($0)\"" }.joined(separator: ","))],"price":{"from":\#(low)},"sort":"\#(falls ? "-" : "")\#(sort)"}"#
      let kept = shops.filter { genres.contains(text($0, "genre")) && number($0, "price") >= Double(low) }.enumerated()
        .sorted { left, right in
          let (one, other) = falls ? (right.element, left.element) : (left.element, right.element)
          if ["price", "rating"].contains(sort) {
            let (mine, others) = (number(one, sort), number(other, sort))
            return mine == others ? left.offset < right.offset : mine < others
          }
          let (mine, others) = (text(one, sort), text(other, sort))
          return mine == others
            ? left.offset < right.offset : Array(mine.utf8).lexicographicallyPrecedes(Array(others.utf8))
        }
      let page = try #require(
        source.outcome(PageRequest(filters: try Filters(json: RawJSON(json)), size: 100), on: clock).page)
      #expect(page.texts == kept.map(\.element.text), "\(json)")
      #expect(page.total == kept.count)
    }
  }

  @Test(arguments: [
    ("1", "2", -1), ("10", "9", 1), ("-1", "1", -1), ("-2", "-1", -1), ("0", "-0.0", 0), ("1e2", "100.00", 0),
    ("0.1", "0.09999999999999999999999", 1), ("1e400", "1e399", 1), ("-1e400", "1e-400", -1), ("0", "1e-400", -1),
    (#""a""#, #""b""#, -1), (#""\u0061""#, #""a""#, 0), (#""日""#, "\"\u{1F600}\"", -1), (#""a""#, #""""#, 1),
  ])
  func `numbers are ordered by value and texts by code points`(left: String, right: String, order: Int) throws {
    let (left, right) = (try RawJSON(left), try RawJSON(right))
    #expect(RowOrder(by: "a").compare(left, right).signum() == order)
    #expect(RowOrder(by: "a").compare(right, left).signum() == -order)
    #expect(RowOrder(by: "a", descending: true).compare(left, right).signum() == -order)
  }

  @Test(arguments: ["true", "null", "[]", "{}"]) func `other values than numbers and texts come last in both orders`(
    other: String
  ) throws {
    let (other, number) = (try RawJSON(other), try RawJSON("1"))
    for order in [RowOrder(by: "a"), RowOrder(by: "a", descending: true)] {
      #expect(order.compare(number, other) < 0 && order.compare(nil, number) > 0)
      #expect(order.compare(other, nil) == 0)
    }
  }

  @Test func `a range matches only values of its bounds' kind`() throws {
    let filter = try ItemFilter(Filters(json: RawJSON(#"{"a":{"from":0,"to":9}}"#)), in: "f")
    for (value, isThere) in [("5", true), (#""5""#, false), ("true", false), ("null", false), ("[5]", true)] {
      #expect(try filter.matches(RawJSON("{\"a\":\(value)}")) == isThere)
    }
  }
}
