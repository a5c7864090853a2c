import Testing
import WireJSON

struct CodableEncodingTests {
  struct Point: Codable, Equatable {
    var x: Double
    var label: String?
  }

  private func failure(_ value: some Encodable) -> EncodingFailure? {
    #expect(throws: EncodingFailure.self) { try RawJSON(encoding: value) }
  }

  @Test func `a value is written as its type defines, without nil fields`() throws {
    #expect(try RawJSON(encoding: Point(x: 1)).text == #"{"x":1.0}"#)
    #expect(try RawJSON(encoding: [Point(x: 0.1, label: "a\n流")]).text == #"[{"x":0.1,"label":"a\n流"}]"#)
    #expect(try RawJSON(encoding: [1, nil, 3] as [Int?]).text == "[1,null,3]")
    #expect(try RawJSON(encoding: nil as Point?).text == "null")
    #expect(try RawJSON(encoding: Point(x: 2) as Point?).text == #"{"x":2.0}"#)
    #expect(try RawJSON(encoding: [[1], []]).text == "[[1],[]]")
    #expect(try RawJSON(encoding: UInt64.max).text == "18446744073709551615")
    #expect(try RawJSON(encoding: "a").text == #""a""#)
  }

  @Test func `infinity and NaN are null, as in a record`() throws {
    for number in [Double.nan, .infinity, -.infinity, .signalingNaN] {
      #expect(try RawJSON(encoding: Point(x: number)).text == #"{"x":null}"#)
      #expect(try RawJSON(encoding: [Float(number)]).text == "[null]")
    }
  }

  @Test func `a type that writes nothing is an empty object`() throws {
    struct Nothing: Encodable { func encode(to encoder: any Encoder) {} }
    struct Empty: Encodable {}
    #expect(try RawJSON(encoding: [Nothing()]).text == "[{}]")
    #expect(try RawJSON(encoding: ["a": Empty()]).text == #"{"a":{}}"#)
  }

  /// A type that refuses to be encoded.
  private struct Refusing: Encodable {
    struct Reason: Error, CustomStringConvertible { let description = "not today" }
    func encode(to encoder: any Encoder) throws {
      var container = encoder.unkeyedContainer()
      try container.encode("half")
      throw Reason()
    }
  }

  @Test func `an encoding error has the path and the reason`() {
    struct Holder: Encodable { let list: [Refusing] }
    #expect(failure(Holder(list: [Refusing()]))?.message == "'list[0]' can't be written as JSON: not today")
    #expect(failure(Refusing())?.message == "the value can't be written as JSON: not today")
    struct Invalid: Encodable {
      func encode(to encoder: any Encoder) throws {
        let context = EncodingError.Context(codingPath: encoder.codingPath, debugDescription: "it is odd")
        throw EncodingError.invalidValue(1, context)
      }
    }
    #expect(failure([Invalid()])?.message == "'[0]' can't be written as JSON: it is odd")
  }

  @Test func `a caught failure leaves no trace`() throws {
    struct Trying: Encodable {
      enum CodingKeys: CodingKey { case first, second, third }
      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try? container.encode(Refusing(), forKey: .first)
        try container.encode(1, forKey: .second)
        try? container.encode([[Refusing()]], forKey: .third)
      }
    }
    struct TryingElements: Encodable {
      func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        try? container.encode(Refusing())
        try container.encode(container.count)
        try? container.encode(Refusing())
      }
    }
    struct TryingAlone: Encodable {
      func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        do { try container.encode(Refusing()) } catch { try container.encode("else") }
      }
    }
    #expect(try RawJSON(encoding: [Trying(), Trying()]).text == #"[{"second":1},{"second":1}]"#)
    #expect(try RawJSON(encoding: TryingElements()).text == "[0]")
    #expect(try RawJSON(encoding: [TryingAlone()]).text == #"["else"]"#)
  }

  @Test func `no type can write invalid JSON`() throws {
    struct Twice: Encodable {
      func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(1)
        try container.encode(2)
      }
    }
    struct Both: Encodable {
      func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: Trailing.Keys.self)
        try object.encode(1, forKey: .a)
        var array = encoder.unkeyedContainer()
        try array.encode(1)
      }
    }
    /// A type that continues to encode while a value in it is written.
    struct Trailing: Encodable {
      enum Keys: CodingKey { case a, b }
      struct Inner: Encodable {
        let write: () throws -> Void
        func encode(to encoder: any Encoder) throws {
          _ = encoder.unkeyedContainer()
          try write()
        }
      }
      func encode(to encoder: any Encoder) throws {
        let container = encoder.container(keyedBy: Keys.self)
        let inner = Inner {
          var container = container
          try container.encode(1, forKey: .b)
        }
        var own = container
        try own.encode(inner, forKey: .a)
      }
    }
    #expect(
      failure([Twice()])?.message == "'[0]' can't be written as JSON: it was encoded as two values instead of one")
    #expect(failure(Both())?.reason == "it was encoded as two values instead of one")
    #expect(try RawJSON(encoding: Trailing()).text == #"{"b":1,"a":[]}"#)
  }

  @Test func `many nested containers are inserted in their positions`() throws {
    enum Step: Codable, Equatable { case go(Int), turn(left: Bool), rest }
    let steps: [Step] = (0..<2000).map { [.go($0), .turn(left: $0.isMultiple(of: 2)), .rest][$0 % 3] }
    let json = try RawJSON(encoding: ["steps": steps])
    #expect(try RawJSON(validating: Array(json.bytes)).decode() == ["steps": steps])
    struct Matrix: Encodable {
      func encode(to encoder: any Encoder) throws {
        var rows = encoder.unkeyedContainer()
        for row in 0..<3 {
          var cells = rows.nestedUnkeyedContainer()
          for cell in 0..<row { try cells.encode(cell) }
          try rows.encode(rows.count)
          var object = rows.nestedContainer(keyedBy: Keys.self)
          try [row].encode(to: object.superEncoder())
          try object.encode(row, forKey: .row)
          _ = rows.superEncoder()
        }
      }
      enum Keys: CodingKey { case row }
    }
    #expect(
      try RawJSON(encoding: Matrix()).text
        == #"[[],1,{"super":[0],"row":0},{},[0],5,{"super":[1],"row":1},{},[0,1],9,{"super":[2],"row":2},{}]"#)
  }
}
