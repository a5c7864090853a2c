import ItemList
public import Foundation
import ItemList
import Randomness
import Testing
public import WireJSON

/// Compares the coder with Foundation's, on random values and random texts.
struct CodableAgreementTests {
  enum Kind: String, Codable, CaseIterable { case mail, chat }
  enum Key: String, Codable, CodingKeyRepresentable, CaseIterable { case x, y }

  indirect enum Shape: Codable, Equatable {
    case circle(radius: Double)
    case pair(Shape, Shape)
    case empty
  }

  /// A type with many kinds of fields.
  struct Thing: Codable, Equatable {
    var flag: Bool
    var small: Int8
    var int: Int
    var large: UInt64
    var double: Double
    var text: String
    var kind: Kind
    var shape: Shape
    var maybe: Int?
    var maybeText: String?
    var numbers: [Int]
    var holes: [Double?]
    var names: [String: Int]
    var byNumber: [Int: String]
    var byKey: [Key: Bool]
    var bytes: [UInt8]
    var things: [Thing]
  }

  @Test func `random values survive a round trip through either coder`() throws {
    var random = SplitMix64(seed: 2026)
    for _ in 0..<40 {
      let thing = random.thing(depth: 2)
      let json = try RawJSON(encoding: thing)
      // The result is JSON for other readers, too.
      #expect(try RawJSON(validating: Array(json.bytes)).decode() == thing)
      #expect(try JSONDecoder().decode(Thing.self, from: Data(json.bytes)) == thing)
      #expect(try RawJSON(validating: Array(JSONEncoder().encode(thing))).decode() == thing)
      #expect(try RawJSON(validating: Array(JSONEncoder().encode(thing))).isEquivalent(to: json))
    }
  }

  @Test func `both coders read the same from random texts, or both fail`() throws {
    var random = SplitMix64(seed: 7)
    var (read, refused) = (0, 0)
    for _ in 0..<400 {
      let thing = random.thing(depth: 1)
      var members: [String: RawJSON] = [:]
      for (name, value) in try RawJSON(encoding: thing).members { members[name.string] = value }
      for _ in 0..<Int(random.next() % 3) {
        let name = members.keys.sorted()[Int(random.next() % UInt64(members.count))]
        members[name] = random.next() % 4 == 0 ? nil : random.json(depth: 2)
      }
      let text = members.json
      let theirs = try? JSONDecoder().decode(Thing.self, from: Data(text.bytes))
      let ours = try? text.decode(Thing.self)
      #expect(ours == theirs, "\(text)")
      if ours == nil { refused += 1 } else { read += 1 }
    }
    #expect(read > 100 && refused > 100, "\(read) were read, \(refused) refused")
  }

  @Test func `a type's own errors have the same kind and path`() throws {
    for text in [
      #"{"a":[{"name":"x"}]}"#, #"{"a":[{"name":"x","age":null}]}"#, #"{"a":[{"name":1,"age":2}]}"#, #"{"a":{}}"#,
      #"{"a":[{"name":"x","age":2,"kind":"fax"}]}"#,
    ] {
      struct Inner: Decodable {
        let name: String
        let age: Int
        let kind: Kind?
      }
      /// A wrapper that shows the errors of the type in it.
      struct Outer: Decodable {
        let error: String
        enum CodingKeys: CodingKey { case a }
        init(from decoder: any Decoder) throws {
          do {
            _ = try decoder.container(keyedBy: CodingKeys.self).decode([Inner].self, forKey: .a)
            error = "none"
          } catch let error as DecodingError {
            self.error = error.kindAndPath
          }
        }
      }
      let theirs = try JSONDecoder().decode(Outer.self, from: Data(text.utf8))
      #expect(try RawJSON(text).decode(Outer.self).error == theirs.error, "\(text)")
    }
  }

  @Test func `this module's types work with other coders`() throws {
    struct Point: Record, Equatable {
      let x: Int
      let label: String?
      static let fields = Fields(Point.init, Field("x", \.x), Field("label", \.label))
    }
    struct Mixed: Codable, Equatable {
      let id: ItemID
      let points: [Point]
      let pause: Milliseconds
      let limit: Int?
    }
    let mixed = Mixed(
      id: ItemID("a"), points: [Point(x: 1, label: "b"), Point(x: 2, label: nil)], pause: Milliseconds(20), limit: nil)
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let data = try encoder.encode(mixed)
    #expect(
      String(decoding: data, as: UTF8.self)
        == #"{"id":"a","pause":20,"points":[{"label":"b","x":1},{"x":2}]}"#)
    #expect(try JSONDecoder().decode(Mixed.self, from: data) == mixed)
    for text in [#"{"a":[1,-2.5,true,false,null,"x",{}],"b":[]}"#, "[]", "[[1e300]]"] {
      let json = try RawJSON(text)
      let again = try JSONDecoder().decode(RawJSON.self, from: encoder.encode(json))
      #expect(again.isEquivalent(to: json), "\(again)")
    }
    #expect(throws: DecodingFailure.self) { try JSONDecoder().decode(Point.self, from: Data("[]".utf8)) }
  }

  /// A date in the form that an author could choose.
  @Test func `an author can define the JSON form of another module's type`() throws {
    struct Event: Codable, Equatable {
      let at: Date
      let others: [Date]
      let until: Date?
    }
    let event = Event(at: Date(timeIntervalSince1970: 0), others: [Date(timeIntervalSince1970: 1.0)], until: nil)
    let text = #"{"at":"1970-01-01T00:00:00Z","others":["1970-01-01T00:00:01Z"]}"#
    #expect(try RawJSON(encoding: event).text == text)
    #expect(try RawJSON(text).decode() == event)
    let wrong = try RawJSON(#"{"at":"today","others":[]}"#)
    let failure = #expect(throws: DecodingFailure.self) { try wrong.decode(Event.self) }
    #expect(failure?.message == #"'at' must be a date such as "2026-11-21T08:15:00Z""#)
    #expect(JSONSchema(of: Event.self).properties.map(\.name) == ["at", "others", "until"])
  }

  @Test func `Foundation's types are read and written by their own methods`() throws {
    struct Account: Codable, Equatable {
      let id: UUID
      let home: URL
      let data: Data
      let limit: Int
    }
    let account = Account(
      id: UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")!, home: URL(string: "https://a.org/b")!,
      data: Data([1, 2]), limit: 3)
    let json = try RawJSON(encoding: account)
    #expect(try json.decode() == account)
    #expect(json.member("id")?.string == "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")
    // Each of these types refuses empty values.
    #expect(JSONSchema(of: Account.self).properties.map(\.name) == ["id", "home", "data", "limit"])
  }
}

extension Date: JSONDecodable, JSONEncodable, JSONSchemaProviding {
  /// Reads an ISO 8601 date.
  public init(json: RawJSON) throws(DecodingFailure) {
    guard let date = json.string.flatMap({ try? Date($0, strategy: .iso8601) }) else {
      throw DecodingFailure(expected: #"a date such as "2026-11-21T08:15:00Z""#, in: json)
    }
    self = date
  }

  /// Writes an ISO 8601 date.
  public func write(to writer: inout JSONWriter) { writer.string(formatted(.iso8601)) }

  /// `{"type":"string"}`.
  public static var schema: JSONSchema { JSONSchema(type: .string) }
}

extension DecodingError {
  fileprivate var kindAndPath: String {
    func steps(_ context: Context) -> String {
      context.codingPath.map { $0.intValue.map { "\($0)" } ?? $0.stringValue }.joined(separator: "/")
    }
    return switch self {
    case .typeMismatch(let type, let context): "mismatch \(type) \(steps(context))"
    case .valueNotFound(let type, let context): "null \(type) \(steps(context))"
    case .keyNotFound(let key, let context): "missing \(key.stringValue) \(steps(context))"
    case .dataCorrupted(let context): "corrupted \(steps(context))"
    @unknown default: "\(self)"
    }
  }
}

extension SplitMix64 {
  private mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

  fileprivate mutating func thing(depth: Int) -> CodableAgreementTests.Thing {
    CodableAgreementTests.Thing(
      flag: next() % 2 == 0, small: Int8(truncatingIfNeeded: next()), int: Int(truncatingIfNeeded: next()),
      large: next(),
      double: double(), text: text(), kind: CodableAgreementTests.Kind.allCases[below(2)], shape: shape(depth: 3),
      maybe: next() % 2 == 0 ? nil : below(9), maybeText: next() % 2 == 0 ? nil : text(),
      numbers: (0..<below(4)).map { _ in below(1000) - 500 },
      holes: (0..<below(4)).map { _ in next() % 2 == 0 ? nil : double() },
      names: Dictionary((0..<below(20)).map { _ in (text(), below(9)) }) { $1 },
      byNumber: Dictionary((0..<below(3)).map { _ in (below(99) - 50, text()) }) { $1 },
      byKey: next() % 2 == 0 ? [:] : [.x: true, .y: false], bytes: (0..<below(5)).map { _ in UInt8(below(256)) },
      things: depth == 0 ? [] : (0..<below(3)).map { _ in thing(depth: depth - 1) })
  }

  /// A finite number of any size.
  fileprivate mutating func double() -> Double {
    if next() % 3 == 0 { return Double(below(2000) - 1000) / 8 }
    let double = Double(bitPattern: next())
    return double.isFinite ? double : 0
  }

  fileprivate mutating func text() -> String {
    let letters = ["a", "b", "\"", "\\", "\n", "\u{1}", "ü", "e\u{301}", "流", "😀", "/", "\u{2028}"]
    return (0..<below(6)).map { _ in letters[below(letters.count)] }.joined()
  }

  fileprivate mutating func shape(depth: Int) -> CodableAgreementTests.Shape {
    switch depth == 0 ? 0 : below(3) {
    case 0: .empty
    case 1: .circle(radius: double())
    default: .pair(shape(depth: depth - 1), shape(depth: depth - 1))
    }
  }

  fileprivate mutating func json(depth: Int) -> RawJSON {
    switch below(depth == 0 ? 7 : 9) {
    case 0: .null
    case 1: (next() % 2 == 0).json
    case 2: (below(600) - 300).json
    case 3: double().json
    case 4: text().json
    case 5: ["mail", "chat", "fax"][below(3)].json
    case 6: (try? RawJSON(["1e2", "-0", "0.0", "2.50", "1e19", "12345678901234567890"][below(6)])) ?? .null
    case 7: (0..<below(3)).map { _ in json(depth: depth - 1) }.json
    default:
      Dictionary((0..<below(3)).map { _ in (["circle", "empty", "1", "x"][below(4)], json(depth: depth - 1)) }) { $1 }
        .json
    }
  }
}
