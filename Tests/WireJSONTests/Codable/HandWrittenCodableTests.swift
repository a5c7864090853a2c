import Testing
import WireJSON

/// Types with handwritten coding.
struct HandWrittenCodableTests {
  /// A type's own error.
  struct Refused: Error, CustomStringConvertible {
    let description: String
  }

  // MARK: - Containers

  struct Rectangle: Codable, Equatable {
    let size: [Int]
    let title: String
    let left: Int

    enum CodingKeys: CodingKey { case size, place }
    enum PlaceKeys: CodingKey { case title, left }

    init(size: [Int], title: String, left: Int) { (self.size, self.title, self.left) = (size, title, left) }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      var size = try container.nestedUnkeyedContainer(forKey: .size)
      self.size = [try size.decode(Int.self), try size.decode(Int.self)]
      let place = try container.nestedContainer(keyedBy: PlaceKeys.self, forKey: .place)
      title = try place.decode(String.self, forKey: .title)
      left = try place.decode(Int.self, forKey: .left)
    }

    /// Alternates between its containers.
    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      var place = container.nestedContainer(keyedBy: PlaceKeys.self, forKey: .place)
      try place.encode(title, forKey: .title)
      var size = container.nestedUnkeyedContainer(forKey: .size)
      try size.encode(self.size[0])
      try place.encode(left, forKey: .left)
      try size.encode(self.size[1])
    }
  }

  @Test func `nested containers are read and written, in any order`() throws {
    let rectangle = Rectangle(size: [2, 3], title: "a \"b\"", left: -1)
    let text = #"{"place":{"title":"a \"b\"","left":-1},"size":[2,3]}"#
    #expect(try RawJSON(encoding: rectangle).text == text)
    #expect(try RawJSON(text).decode() == rectangle)
    #expect(try RawJSON(encoding: [[rectangle], []]).text == "[[\(text)],[]]")
    func message(_ text: String) throws -> String? {
      let json = try RawJSON(text)
      return #expect(throws: DecodingFailure.self) { try json.decode([Rectangle].self) }?.message
    }
    #expect(try message(#"[{"size":[1]}]"#) == "'[0].size[1]' is missing: expected an integer")
    #expect(try message(#"[{"size":[1,"x"]}]"#) == "'[0].size[1]' must be an integer")
    #expect(try message(#"[{"size":1}]"#) == "'[0].size' must be an array")
    #expect(try message(#"[{"size":[1,2]}]"#) == "'[0].place' is missing: expected an object")
    #expect(try message(#"[{"size":[1,2],"place":[]}]"#) == "'[0].place' must be an object")
    #expect(try message(#"[{"size":[1,2],"place":{"title":null}}]"#) == "'[0].place.title' must be a string")
  }

  class Animal: Codable {
    let name: String
    enum CodingKeys: CodingKey { case name }

    init(name: String) { self.name = name }
  }

  /// A class that shares the object with its superclass.
  final class Dog: Animal {
    let age: Int
    enum CodingKeys: CodingKey { case age }

    init(name: String, age: Int) {
      self.age = age
      super.init(name: name)
    }

    required init(from decoder: any Decoder) throws {
      age = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .age)
      try super.init(from: decoder)
    }

    override func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try super.encode(to: encoder)
      try container.encode(age, forKey: .age)
    }
  }

  /// A class with a separate field for its superclass.
  final class Cat: Animal {
    let lives: Int
    enum CodingKeys: CodingKey { case lives }

    init(name: String, lives: Int) {
      self.lives = lives
      super.init(name: name)
    }

    required init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      lives = try container.decode(Int.self, forKey: .lives)
      try super.init(from: container.superDecoder())
    }

    override func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(lives, forKey: .lives)
      try super.encode(to: container.superEncoder())
    }
  }

  @Test func `an inherited class shares the object, or has a field for its superclass`() throws {
    let dog = #"{"name":"Rex","age":3}"#
    #expect(try RawJSON(encoding: Dog(name: "Rex", age: 3)).text == dog)
    #expect(try RawJSON(dog).decode(Dog.self).name == "Rex")
    let cat = #"{"lives":7,"super":{"name":"Tom"}}"#
    #expect(try RawJSON(encoding: Cat(name: "Tom", lives: 7)).text == cat)
    #expect(try RawJSON(cat).decode(Cat.self).name == "Tom")
    let nameless = try RawJSON(#"[{"lives":7,"super":{}}]"#)
    let failure = #expect(throws: DecodingFailure.self) { try nameless.decode([Cat].self) }
    #expect(failure?.message == "'[0].super.name' is missing: expected a string")
    #expect(throws: DecodingFailure.self) { try RawJSON(#"{"lives":7}"#).decode(Cat.self) }
  }

  // MARK: - Handwritten coding

  enum NumberOrText: Codable, Equatable {
    case number(Int)
    case text(String)

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let number = try? container.decode(Int.self) {
        self = .number(number)
      } else {
        self = .text(try container.decode(String.self))
      }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch self {
      case .number(let number): try container.encode(number)
      case .text(let text): try container.encode(text)
      }
    }
  }

  @Test func `a failed attempt leaves no trace`() throws {
    let mixed: [NumberOrText] = [.number(1), .text("a")]
    #expect(try RawJSON(#"[1,"a"]"#).decode() == mixed)
    #expect(try RawJSON(encoding: mixed).text == #"[1,"a"]"#)
    let json = try RawJSON("[1,true]")
    #expect(
      #expect(throws: DecodingFailure.self) { try json.decode([NumberOrText].self) }?.message
        == "'[1]' must be a string")
  }

  struct Percent: Codable {
    let value: Int

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      value = try container.decode(Int.self)
      guard (1...100).contains(value) else {
        throw DecodingError.dataCorruptedError(in: container, debugDescription: "it isn't from 1 to 100")
      }
    }
  }

  struct Name: Decodable {
    let text: String
    enum CodingKeys: CodingKey { case text }

    init(from decoder: any Decoder) throws {
      text = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .text)
      if text.isEmpty { throw Refused(description: "a name has letters") }
    }
  }

  struct Account: Decodable {
    let names: [Name]
    let share: Percent
    let limit: Int
    enum CodingKeys: CodingKey { case names, share, limit }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      names = try container.decode([Name].self, forKey: .names)
      share = try container.decode(Percent.self, forKey: .share)
      limit = try container.decode(Int.self, forKey: .limit)
      if limit < share.value {
        throw DecodingError.dataCorruptedError(
          forKey: .limit, in: container, debugDescription: "it is below the share")
      }
    }
  }

  @Test(arguments: [
    (#"{"names":[],"share":0,"limit":1}"#, "'[0].share' is invalid: it isn't from 1 to 100"),
    (#"{"names":[],"share":"x","limit":1}"#, "'[0].share' must be an integer"),
    (#"{"names":[],"share":9,"limit":1}"#, "'[0].limit' is invalid: it is below the share"),
    (#"{"names":[{"text":"a"},{"text":""}],"share":9,"limit":1}"#, "'[0].names[1]' is invalid: a name has letters"),
  ])
  func `a type's own error has the path and the reason`(_ text: String, _ message: String) throws {
    let json = try RawJSON("[\(text)]")
    #expect(#expect(throws: DecodingFailure.self) { try json.decode([Account].self) }?.message == message)
  }

  /// A type that records the errors that it catches.
  struct Careful: Decodable, Equatable {
    let caught: [String]
    enum CodingKeys: CodingKey { case a, b, c, d }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      var caught: [String] = []
      do { _ = try container.decode(Int.self, forKey: .a) } catch DecodingError.keyNotFound(let key, let context) {
        caught.append("\(key.stringValue) \(context.codingPath.map(\.stringValue))")
      }
      do { _ = try container.decode([Int].self, forKey: .b) } catch DecodingError.typeMismatch(let type, let context) {
        caught.append("\(type) \(context.codingPath.map(\.stringValue)) \(context.debugDescription)")
      }
      do { _ = try container.decode(Name.self, forKey: .c) } catch DecodingError.dataCorrupted(let context) {
        caught.append(context.debugDescription)
      }
      do { _ = try container.decode(Int.self, forKey: .d) } catch DecodingError.valueNotFound { caught.append("null") }
      self.caught = caught
    }
  }

  @Test func `errors are those that Swift's own coders throw`() throws {
    let json = try RawJSON(#"[{"b":[1,"x"],"c":{"text":""},"d":null}]"#)
    #expect(
      try json.decode([Careful].self)[0].caught == [
        #"a ["[0]"]"#, #"Array<Int> ["[0]", "b", "[1]"] '[0].b[1]' must be an integer"#,
        "'[0].c' is invalid: a name has letters", "null",
      ])
  }

  /// A type that encodes its own coding path.
  struct Here: Codable {
    let path: String
    init() { path = "" }
    init(from decoder: any Decoder) throws {
      path = try decoder.container(keyedBy: AnyName.self).codingPath.map(\.stringValue).joined(separator: "/")
    }
    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(encoder.codingPath.map(\.stringValue).joined(separator: "/"))
    }
  }

  struct AnyName: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  @Test func `a coder knows its path`() throws {
    #expect(try RawJSON(#"{"a":[{},{}]}"#).decode([String: [Here]].self)["a"]?.map(\.path) == ["a/[0]", "a/[1]"])
    #expect(try RawJSON(encoding: ["a": [Here(), Here()]]).text == #"{"a":["a/[0]","a/[1]"]}"#)
  }

  /// A wrapper that encodes only its value, and uses a default for an absent field.
  @propertyWrapper struct Default<Value: Codable & ExpressibleByIntegerLiteral>: Codable {
    var wrappedValue: Value

    init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
    init(from decoder: any Decoder) throws { wrappedValue = try decoder.singleValueContainer().decode(Value.self) }
    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(wrappedValue)
    }
  }

  struct Settings: Codable {
    @Default var size = 3
    let name: String
  }

  @Test func `property wrappers are read and written by their own methods`() throws {
    #expect(try RawJSON(#"{"name":"a"}"#).decode(Settings.self).size == 0)
    #expect(try RawJSON(#"{"size":7,"name":"a"}"#).decode(Settings.self).size == 7)
    #expect(try RawJSON(encoding: Settings(name: "a")).text == #"{"size":3,"name":"a"}"#)
    let json = try RawJSON(#"{"size":"x","name":"a"}"#)
    #expect(
      #expect(throws: DecodingFailure.self) { try json.decode(Settings.self) }?.message == "'size' must be an integer")
    #expect(
      JSONSchema(of: Settings.self).json.text
        == #"{"type":"object","properties":{"size":{"type":"integer"},"name":{"type":"string"}},"required":["name"]}"#)
  }
}

extension KeyedDecodingContainer {
  func decode<Value>(
    _ type: HandWrittenCodableTests.Default<Value>.Type, forKey key: Key
  ) throws -> HandWrittenCodableTests.Default<Value> {
    try decodeIfPresent(type, forKey: key) ?? HandWrittenCodableTests.Default(wrappedValue: 0)
  }
}
