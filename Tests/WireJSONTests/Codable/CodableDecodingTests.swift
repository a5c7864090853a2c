import ItemList
import Testing
import WireJSON

struct CodableDecodingTests {
  enum Kind: String, Codable, CaseIterable { case mail, chat }
  enum Sort: String, Codable { case date, name }
  enum Level: Int, Codable { case low = 1, high = 9 }

  struct Author: Codable, Equatable {
    let name: String
    let age: Int
  }

  struct Message: Codable, Equatable {
    let id: Int
    let kind: Kind
    let author: Author
    let tags: [String]
    var note: String?

    enum CodingKeys: String, CodingKey { case id, kind, author, tags, note = "a note" }
  }

  struct Box<Value: Codable>: Codable { let number: Value }

  enum Shape: Codable, Equatable {
    case circle(radius: Double)
    case rectangle(Double, Double)
    case empty
  }

  private func failure<Value: Decodable>(_ type: Value.Type, _ text: String) throws -> DecodingFailure? {
    let json = try RawJSON(text)
    return #expect(throws: DecodingFailure.self) { try json.decode(type) }
  }

  @Test func `fields are read by their coding keys, in any order, and others ignored`() throws {
    let json = try RawJSON(
      #"{"tags":["a","b"],"a note":"x","author":{"age":3.0,"name":"Mei"},"more":[],"id":7,"kind":"chat"}"#)
    #expect(
      try json.decode()
        == Message(id: 7, kind: .chat, author: Author(name: "Mei", age: 3), tags: ["a", "b"], note: "x"))
  }

  @Test(arguments: [
    (#"{"id":"x","kind":"mail","author":{"name":"a","age":1},"tags":[]}"#, "'id' must be an integer"),
    (#"{"id":1,"kind":"fax","author":{"name":"a","age":1},"tags":[]}"#, #"'kind' must be "mail" or "chat""#),
    (#"{"id":1,"kind":7,"author":{"name":"a","age":1},"tags":[]}"#, #"'kind' must be "mail" or "chat""#),
    (#"{"id":1,"author":{"name":"a","age":1},"tags":[]}"#, #"'kind' is missing: expected "mail" or "chat""#),
    (#"{"id":1,"kind":"mail","author":{"name":"a","age":true},"tags":[]}"#, "'author.age' must be an integer"),
    (#"{"id":1,"kind":"mail","author":{"age":1},"tags":[]}"#, "'author.name' is missing: expected a string"),
    (#"{"id":1,"kind":"mail","author":null,"tags":[]}"#, "'author' must be an object"),
    (#"{"id":1,"kind":"mail","tags":[]}"#, "'author' is missing: expected an object"),
    (#"{"id":1,"kind":"mail","author":{"name":"a","age":1},"tags":["a",null]}"#, "'tags[1]' must be a string"),
    (#"{"id":1,"kind":"mail","author":{"name":"a","age":1},"tags":{}}"#, "'tags' must be an array"),
    (#"{"id":1,"kind":"mail","author":{"name":"a","age":1}}"#, "'tags' is missing: expected an array"),
    (#"{"id":1,"kind":"mail","author":{"name":"a","age":1},"tags":[],"a note":1}"#, "'a note' must be a string"),
    ("[]", "the value must be an object"),
  ])
  func `a failure has the path and the reason`(_ text: String, _ message: String) throws {
    #expect(try failure(Message.self, text)?.message == message)
  }

  @Test func `a failure has the position of the value`() throws {
    let failure = try failure([Author].self, #"[{"name":"a","age":1},{"name":"b","age":"x"}]"#)
    #expect(failure?.parameter == "[1].age")
    #expect(failure?.offset == 40)
    #expect(failure?.kind == .mismatch)
  }

  @Test func `null counts as absent only for an optional`() throws {
    struct Optionals: Codable, Equatable {
      var a: Int?
      var b: Author?
      var c: [Int?]?
      var d: Int??
    }
    #expect(try RawJSON(#"{"a":null,"b":null,"c":null}"#).decode() == Optionals())
    #expect(try RawJSON("{}").decode() == Optionals())
    #expect(try RawJSON(#"{"c":[1,null],"d":2}"#).decode() == Optionals(c: [1, nil], d: 2))
    #expect(try RawJSON("null").decode(Int?.self) == nil)
    #expect(try RawJSON("null").decode(Author?.self) == nil)
    #expect(try failure(Optionals.self, #"{"b":{"name":null}}"#)?.message == "'b.name' must be a string")
    #expect(try failure(Optionals.self, #"{"c":[1,"x"]}"#)?.message == "'c[1]' must be an integer")
  }

  @Test func `of duplicate fields the last counts`() throws {
    #expect(try RawJSON(#"{"name":1,"age":1,"name":"a","\u0061ge":2}"#).decode() == Author(name: "a", age: 2))
    let many = (0..<40).map { #""k\#($0)":\#($0)"# }.joined(separator: ",")
    let numbers = try RawJSON("{\(many),\(many),\"k3\":99}").decode([String: Int].self)
    #expect(numbers.count == 40 && numbers["k3"] == 99 && numbers["k39"] == 39)
    // Names are compared by their bytes, not by their appearance.
    #expect(try RawJSON("{\"e\\u0301\":1,\"age\":2,\"name\":\"\"}").decode() == Author(name: "", age: 2))
  }

  @Test(arguments: [
    ("-129", "a whole number, -128 to 127"), ("128", "a whole number, -128 to 127"),
    ("1.5", "a whole number, -128 to 127"), ("1e99", "a whole number, -128 to 127"),
    (#""1""#, "a whole number, -128 to 127"),
  ])
  func `an integer out of range is refused`(_ text: String, _ expected: String) throws {
    #expect(try failure([Int8].self, "[\(text)]")?.message == "'[0]' must be \(expected)")
  }

  @Test func `integers of all widths reach their limits`() throws {
    func check<Number: FixedWidthInteger & Codable>(_: Number.Type) throws {
      for number in [Number.min, 0, 1, Number.max] {
        #expect(try RawJSON(#"{"number":\#(number)}"#).decode(Box<Number>.self).number == number)
        #expect(try RawJSON(encoding: Box(number: number)).text == #"{"number":\#(number)}"#)
      }
      #expect(throws: DecodingFailure.self) { try RawJSON(#"{"number":\#(Number.max)0}"#).decode(Box<Number>.self) }
      #expect(try RawJSON(#"{"number":1.20e1}"#).decode(Box<Number>.self).number == 12)
    }
    try check(Int.self)
    try check(Int8.self)
    try check(Int16.self)
    try check(Int32.self)
    try check(Int64.self)
    try check(Int128.self)
    try check(UInt.self)
    try check(UInt8.self)
    try check(UInt16.self)
    try check(UInt32.self)
    try check(UInt64.self)
    try check(UInt128.self)
    #expect(try failure(UInt64.self, "18446744073709551616")?.expected == "a whole number, 0 to \(UInt64.max)")
    #expect(try failure(Int.self, "9223372036854775808")?.message == "the value must be an integer")
  }

  @Test func `floating-point numbers are rounded to the nearest`() throws {
    #expect(try RawJSON("[0.1,1e3,-0.0,5e-324]").decode([Double].self) == [0.1, 1000, -0.0, .leastNonzeroMagnitude])
    #expect(try RawJSON("[0.1,16777217]").decode([Float].self) == [0.1, 16_777_216])
    #expect(try failure(Double.self, "1e400")?.message == "the value must be a number")
    #expect(try failure([Float].self, "[1e39]")?.message == "'[0]' must be a number in the range of Float")
  }

  @Test func `enumerations are read as the compiler defines them`() throws {
    #expect(try RawJSON(#"["date","name"]"#).decode([Sort].self) == [.date, .name])
    #expect(try RawJSON("9").decode(Level.self) == .high)
    #expect(try failure([Sort].self, #"["age"]"#)?.message == "'[0]' must be one of the values of Sort")
    #expect(try failure(Level.self, "2")?.message == "the value must be one of the values of Level")
    #expect(try failure(Level.self, "true")?.message == "the value must be an integer")

    let shapes: [Shape] = [.circle(radius: 1), .rectangle(2, 3), .empty]
    let text = #"[{"circle":{"radius":1.0}},{"rectangle":{"_0":2.0,"_1":3.0}},{"empty":{}}]"#
    #expect(try RawJSON(text).decode() == shapes)
    #expect(try RawJSON(encoding: shapes).text == text)
    #expect(try RawJSON(#"{"empty":{},"empty":{}}"#).decode(Shape.self) == .empty)
    let refusal = "'[0]' must be an object with one field, the name of a case"
    for text in [#"[{"oval":{}}]"#, #"[{"empty":{},"circle":{}}]"#, "[{}]"] {
      #expect(try failure([Shape].self, text)?.message == refusal)
    }
    #expect(try failure(Shape.self, #""empty""#)?.message == "the value must be an object")
    #expect(try failure(Shape.self, #"{"circle":{}}"#)?.message == "'circle.radius' is missing: expected a number")
    #expect(try failure(Shape.self, #"{"circle":[]}"#)?.message == "'circle' must be an object")
  }

  @Test func `dictionaries are objects by strings, integers and coding keys, otherwise arrays`() throws {
    enum Plain: String, Codable { case x, y }
    enum Coding: String, Codable, CodingKeyRepresentable { case x, y }
    #expect(try RawJSON(#"{"a":[1],"b":[]}"#).decode() == ["a": [1], "b": []])
    #expect(try RawJSON(#"{"1":true,"-2":false}"#).decode() == [1: true, -2: false])
    #expect(try RawJSON(#"{"x":1}"#).decode() == [Coding.x: 1])
    #expect(try RawJSON(#"["x",1,"y",2]"#).decode() == [Plain.x: 1, .y: 2])
    #expect(try RawJSON(encoding: [Coding.y: 1]).text == #"{"y":1}"#)
    #expect(try RawJSON(encoding: [Plain.y: 1]).text == #"["y",1]"#)
    #expect(try RawJSON(encoding: [7: 1]).text == #"{"7":1}"#)
    #expect(try failure([String: Int8].self, #"{"a":1000}"#)?.message == "'a' must be a whole number, -128 to 127")
    #expect(try failure([Int: Int].self, #"{"a":1}"#)?.message.hasPrefix("'a' is invalid: Expected Int key") == true)
    #expect(try failure([Coding: Int].self, #"{"z":1}"#)?.message.contains("is invalid: ") == true)
  }

  @Test func `arrays of bytes, sets and ranges are arrays`() throws {
    #expect(try RawJSON("[0,255]").decode([UInt8].self) == [0, 255])
    #expect(try failure([UInt8].self, "[0,256]")?.message == "'[1]' must be a whole number, 0 to 255")
    #expect(try RawJSON("[1,2,1]").decode(Set<Int>.self) == [1, 2])
    #expect(try RawJSON("[1,2]").decode(Range<Int>.self) == 1..<2)
    #expect(try failure(Range<Int>.self, "[1]")?.message == "'[1]' is missing: expected an integer")
    #expect(try failure(Range<Int>.self, "[2,1]")?.message.hasPrefix("the value is invalid: ") == true)
  }

  @Test func `this module's types are read and written by their own methods`() throws {
    enum Direction: String, JSONStringEnum { case next, previous }
    struct Point: Record, Equatable {
      let x: Int
      static let fields = Fields(Point.init, Field("x", \.x))
    }
    struct Mixed: Codable, Equatable {
      let id: ItemID
      let points: [Point]
      let pause: Milliseconds
      let to: Direction?
    }
    let text = #"{"id":"a","points":[{"x":1}],"pause":20,"to":"next"}"#
    let mixed = Mixed(id: ItemID("a"), points: [Point(x: 1)], pause: Milliseconds(20), to: .next)
    #expect(try RawJSON(text).decode() == mixed)
    #expect(try RawJSON(encoding: mixed).text == text)
    let broken = #"{"id":"a","points":[{"x":1},{"x":"y"}],"pause":20}"#
    #expect(try failure(Mixed.self, broken)?.message == "'points[1].x' must be an integer")
    #expect(try RawJSON(#"[{"a":1}]"#).decode([RawJSON].self).map(\.text) == [#"{"a":1}"#])
    // The same by decoding the types directly.
    #expect(try RawJSON(#"{"x":3}"#).decode(Point.self) == Point(x: 3))
    #expect(try RawJSON(encoding: Point(x: 3)).text == #"{"x":3}"#)
  }

  @Test func `unknown fields are refused on request, at every depth`() throws {
    struct Query: Decodable {
      let text: String
      let author: Author?
      let shape: Shape?
      let counts: [String: Int]?
    }
    func refusal(_ text: String) throws -> String? {
      let json = try RawJSON(text)
      return #expect(throws: DecodingFailure.self) { try json.decode(Query.self, unknownMembers: .reported) }?.message
    }
    let known = "expected 'text', 'author', 'shape' or 'counts'"
    #expect(try refusal(#"{"text":"a","txet":1}"#) == "'txet' is unknown: \(known); did you mean 'text'?")
    #expect(
      try refusal(#"{"text":"a","author":{"name":"b","age":1,"x":2}}"#)
        == "'author.x' is unknown: expected 'name' or 'age'")
    #expect(
      try refusal(#"{"text":"a","shape":{"circle":{"radius":1,"x":2}}}"#)
        == "'shape.circle.x' is unknown: expected 'radius'")
    // A type may leave a value to another type, and read a part of it itself.
    struct Flat: Decodable {
      let author: Author
      let text: String
      enum CodingKeys: CodingKey { case text }
      init(from decoder: any Decoder) throws {
        author = try decoder.singleValueContainer().decode(Author.self)
        text = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .text)
      }
    }
    let flat = try RawJSON(#"[{"name":"b","age":1,"text":"a"}]"#)
    #expect(try flat.decode([Flat].self, unknownMembers: .reported).first?.text == "a")
    let more = try RawJSON(#"{"name":"b","age":1,"text":"a","x":1}"#)
    let failure = #expect(throws: DecodingFailure.self) { try more.decode(Flat.self, unknownMembers: .reported) }
    #expect(failure?.message == "'x' is unknown: expected 'name', 'age' or 'text'")

    let right = #"{"text":"a","author":{"name":"b","age":1},"shape":{"empty":{}},"counts":{"x":1}}"#
    #expect(try RawJSON(right).decode(Query.self, unknownMembers: .reported).counts == ["x": 1])
  }
}
