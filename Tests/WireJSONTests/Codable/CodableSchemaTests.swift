import ItemList
import Testing
import WireJSON

struct CodableSchemaTests {
  enum Kind: String, Codable, CaseIterable { case mail, chat }
  enum Sort: String, Codable { case date, name }
  enum Level: Int, Codable, CaseIterable { case low = 1, high = 9 }
  enum Side: Codable, CaseIterable { case left, right }

  struct Author: Codable {
    let name: String
    let age: Int?
  }

  private func schema(_ type: Any.Type) -> String { JSONSchema(of: type).json.text }

  @Test func `a type's fields are found, including optional ones`() {
    struct Message: Codable {
      let id: UInt8
      let kind: Kind
      let author: Author
      let read: Bool?
      let scores: [Double]
      let authors: [Author]
      let counts: [String: Int]
      let byNumber: [Int: Author]
      let id2: ItemID
      let raw: RawJSON?
    }
    let author =
      #"{"type":"object","properties":{"name":{"type":"string"},"age":{"type":"integer"}},"required":["name"]}"#
    #expect(
      schema(Message.self) == #"""
        {"type":"object","properties":{"id":{"type":"integer","minimum":0,"maximum":255},\#
        "kind":{"type":"string","enum":["mail","chat"]},"author":\#(author),"read":{"type":"boolean"},\#
        "scores":{"type":"array","items":{"type":"number"}},"authors":{"type":"array","items":\#(author)},\#
        "counts":{"type":"object","additionalProperties":{"type":"integer"}},\#
        "byNumber":{"type":"object","additionalProperties":\#(author)},"id2":{"type":["string","number"]},"raw":{}},\#
        "required":["id","kind","author","scores","authors","counts","byNumber","id2"]}
        """#)
  }

  @Test func `an enumeration lists its values if they are known`() {
    #expect(schema(Kind.self) == #"{"type":"string","enum":["mail","chat"]}"#)
    #expect(schema(Level.self) == #"{"type":"integer","enum":[1,9]}"#)
    #expect(schema(Side.self) == #"{"type":"object","enum":[{"left":{}},{"right":{}}]}"#)
    #expect(schema(Sort.self) == #"{"type":"string"}"#)
    enum Only: String, Decodable, CaseIterable { case a, b }
    #expect(schema(Only.self) == #"{"type":"string","enum":["a","b"]}"#)
    #expect(schema([Sort].self) == #"{"type":"array","items":{"type":"string"}}"#)
    #expect(schema([Kind: Int].self) == #"{"type":"array"}"#)
    #expect(
      schema([Kind?].self)
        == #"{"type":"array","items":{"anyOf":[{"type":"string","enum":["mail","chat"]},{"type":"null"}]}}"#)
  }

  enum Shape: Codable {
    case circle(radius: Double)
    case label(String, Author)
  }

  @Test func `an enumeration with payloads is an object`() { #expect(schema(Shape.self) == #"{"type":"object"}"#) }

  @Test func `fields after an unknown value are unknown`() {
    struct Query: Codable {
      let text: String
      let sort: Sort
      let limit: Int
    }
    #expect(
      schema(Query.self)
        == #"{"type":"object","properties":{"text":{"type":"string"},"sort":{"type":"string"}},"required":["text","sort"]}"#
    )
  }

  final class Person: Codable {
    let name: String
    let boss: Person?
    let friends: [Person]
    let byName: [String: Person]
    init() { (name, boss, friends, byName) = ("", nil, [], [:]) }
  }

  final class Growing<Value: Codable>: Codable { let next: Growing<[Value]>? }

  indirect enum Expression: Codable { case number(Int), sum(Expression, Expression) }

  struct Wide<A: Codable>: Codable {
    let a: A
    let b: A
    let c: A
  }

  @Test func `the schema of a recursive type ends`() {
    #expect(
      schema(Person.self) == #"""
        {"type":"object","properties":{"name":{"type":"string"},"boss":{"type":"object"},\#
        "friends":{"type":"array","items":{"type":"object"}},\#
        "byName":{"type":"object","additionalProperties":{"type":"object"}}},"required":["name","friends","byName"]}
        """#)
    let growing = schema(Growing<Int>.self)
    #expect(growing.hasPrefix(#"{"type":"object","properties":{"next":{"type":"object","properties":{"next":{"#))
    #expect(schema(Expression.self) == #"{"type":"object"}"#)
    // Each of the types is examined only once.
    let wide = JSONSchema(of: Wide<Wide<Wide<Wide<Wide<Sort>>>>>.self)
    #expect(wide.properties.map(\.name) == ["a"])
    #expect(JSONSchema(of: Wide<Wide<Wide<Wide<Kind>>>>.self).properties.map(\.name) == ["a", "b", "c"])
  }

  /// A type that refuses most values.
  struct Percent: Codable {
    let value: Int
    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      value = try container.decode(Int.self)
      guard (1...100).contains(value) else {
        throw DecodingError.dataCorruptedError(in: container, debugDescription: "not from 1 to 100")
      }
    }
  }

  struct Day: Codable {
    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      guard try container.decode(String.self).hasSuffix("Z") else {
        throw DecodingError.dataCorruptedError(in: container, debugDescription: "no day")
      }
    }
  }

  struct Picky: Codable {
    let name: String
    let share: Percent
    let day: Day
    let days: [Day]
    let limit: Int
    enum CodingKeys: CodingKey { case name, share, day, days, limit }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      name = try container.decode(String.self, forKey: .name)
      guard !name.isEmpty else {
        throw DecodingError.dataCorruptedError(forKey: .name, in: container, debugDescription: "empty")
      }
      share = try container.decode(Percent.self, forKey: .share)
      day = try container.decode(Day.self, forKey: .day)
      days = try container.decode([Day].self, forKey: .days)
      limit = try container.decode(Int.self, forKey: .limit)
    }
  }

  @Test func `a type that refuses empty values gets other samples`() {
    #expect(
      schema(Picky.self) == #"""
        {"type":"object","properties":{"name":{"type":"string"},"share":{"type":"integer"},"day":{"type":"string"},\#
        "days":{"type":"array","items":{"type":"string"}},"limit":{"type":"integer"}},\#
        "required":["name","share","day","days","limit"]}
        """#)
  }

  @Test func `of alternatives the first counts`() {
    #expect(schema(HandWrittenCodableTests.NumberOrText.self) == #"{"type":"integer"}"#)
  }

  @Test func `nested containers and inherited classes are found`() {
    #expect(
      schema(HandWrittenCodableTests.Rectangle.self) == #"""
        {"type":"object","properties":{"size":{"type":"array","items":{"type":"integer"}},"place":{"type":"object",\#
        "properties":{"title":{"type":"string"},"left":{"type":"integer"}},"required":["title","left"]}},\#
        "required":["size","place"]}
        """#)
    #expect(
      schema(HandWrittenCodableTests.Dog.self)
        == #"{"type":"object","properties":{"age":{"type":"integer"},"name":{"type":"string"}},"required":["age","name"]}"#
    )
    #expect(
      schema(HandWrittenCodableTests.Cat.self) == #"""
        {"type":"object","properties":{"lives":{"type":"integer"},"super":{"type":"object",\#
        "properties":{"name":{"type":"string"}},"required":["name"]}},"required":["lives","super"]}
        """#)
  }

  /// A type that declares its own schema.
  struct Described: Codable, JSONSchemaProviding {
    let x: Int
    static var schema: JSONSchema { JSONSchema(type: .object).described("A thing.") }
  }

  @Test func `a type's own schema counts, also within others`() {
    struct Holder: Codable { let things: [Described] }
    #expect(
      schema(Holder.self)
        == #"{"type":"object","properties":{"things":{"type":"array","items":{"description":"A thing.","type":"object"}}},"required":["things"]}"#
    )
  }

  @Test func `the schema of a type that can't be decoded allows anything`() {
    struct Written: Encodable {}
    #expect(schema(Written.self) == "{}")
    #expect(schema(Void.self) == "{}")
  }
}
