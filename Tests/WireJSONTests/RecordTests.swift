import ItemList
import Testing
import WireJSON

struct RecordTests {
  enum Direction: String, JSONStringEnum { case next, previous }

  struct Swipe: Record {
    let to: Direction?
    let id: ItemID?

    static let fields = Fields(
      Swipe.init,
      Field("to", \.to, "Where to go."),
      Field("id", \.id))
  }

  struct Screen: Record {
    let name: String
    let pageSize: Int
    let throttle: Milliseconds
    let swipes: [Swipe]
    let next: RawJSON?

    static let fields = Fields(
      Screen.init,
      Field("name", \.name),
      Field("pageSize", \.pageSize, default: 20),
      Field("throttle", \.throttle, default: Milliseconds(1000)),
      Field("swipes", \.swipes),
      Field(nullable: "next", \.next))
  }

  @Test func `declared fields decode`() throws {
    let swipe = try Swipe(json: RawJSON(#"{"to":"next","id":1.0,"other":[]}"#))
    #expect(swipe.to == .next)
    #expect(swipe.id == ItemID(1))
  }

  @Test func `absent and null mean nil`() throws {
    for text in ["{}", #"{"to":null,"id":null}"#] {
      let swipe = try Swipe(json: RawJSON(text))
      #expect(swipe.to == nil)
      #expect(swipe.id == nil)
    }
  }

  @Test func `declared fields encode, without nil`() {
    #expect(Swipe(to: .previous, id: nil).json.text == #"{"to":"previous"}"#)
  }

  @Test func `a nullable field is written as null`() {
    let screen = Screen(name: "a", pageSize: 1, throttle: Milliseconds(2), swipes: [], next: nil)
    #expect(screen.json.text == #"{"name":"a","pageSize":1,"throttle":2,"swipes":[],"next":null}"#)
  }

  @Test func `absent fields get their default`() throws {
    let screen = try Screen(json: RawJSON(#"{"name":"a","swipes":[{}],"next":[1]}"#))
    #expect(screen.pageSize == 20)
    #expect(screen.throttle.duration == .seconds(1))
    #expect(screen.next?.text == "[1]")
  }

  @Test func `declared fields make a schema`() {
    #expect(
      Swipe.schema.json.text == #"""
        {"type":"object","properties":{"to":{"description":"Where to go.","type":"string","enum":["next","previous"]},\#
        "id":{"type":["string","number"]}}}
        """#)
    #expect(
      Screen.schema.json.text == #"""
        {"type":"object","properties":{"name":{"type":"string"},"pageSize":{"type":"integer","default":20},\#
        "throttle":{"type":"integer","minimum":0,"default":1000},"swipes":{"type":"array","items":{"type":"object",\#
        "properties":{"to":{"description":"Where to go.","type":"string","enum":["next","previous"]},\#
        "id":{"type":["string","number"]}}}},"next":{}},"required":["name","swipes"]}
        """#)
  }

  @Test func `a failure has the path, the expected value and the position`() throws {
    let json = try RawJSON(#"{"name":"a","swipes":[{},{"to":"up"}]}"#)
    let failure = #expect(throws: DecodingFailure.self) { try Screen(json: json) }
    #expect(failure?.parameter == "swipes[1].to")
    #expect(failure?.expected == #""next" or "previous""#)
    #expect(failure?.offset == 31)
    #expect(failure?.message == #"'swipes[1].to' must be "next" or "previous""#)
  }

  @Test func `a missing field is named`() throws {
    let failure = #expect(throws: DecodingFailure.self) { try Screen(json: RawJSON(#"{"name":"a"}"#)) }
    #expect(failure?.kind == .missing)
    #expect(failure?.message == "'swipes' is missing: expected an array")
  }

  @Test func `all failures are reported at once, unknown fields included`() throws {
    let json = try RawJSON(#"{"pagesize":1,"pageSize":"x","throttle":-1,"swipes":[{"too":1,"id":true},3]}"#)
    var context = DecodingContext(unknownMembers: .reported)
    #expect(Screen.decode(json, in: &context) == nil)
    let found = context.failures.map { "\($0.parameter) \($0.kind) \($0.offset)" }
    #expect(
      found == [
        "pagesize unknownMember 12", "name missing 0", "pageSize mismatch 25", "throttle mismatch 40",
        "swipes[0].too unknownMember 60", "swipes[0].id mismatch 67", "swipes[1] mismatch 73",
      ])
    #expect(context.failures[0].message.hasPrefix("'pagesize' is unknown: expected 'name', 'pageSize', "))
    #expect(context.failures[0].message.hasSuffix("; did you mean 'pageSize'?"))
  }

  @Test func `the number of reported failures is limited`() throws {
    let members = (0..<5000).map { "\"m\($0)\":1" }.joined(separator: ",")
    let elements = Array(repeating: "3", count: 5000).joined(separator: ",")
    for text in ["{\(members)}", "{\"name\":\"a\",\"swipes\":[\(elements)]}"] {
      var context = DecodingContext(unknownMembers: .reported)
      #expect(Screen.decode(try RawJSON(text), in: &context) == nil)
      #expect(context.failures.count == 1000)
    }
    #expect(throws: DecodingFailure.self) { try [String: Int](json: RawJSON("{\(members),\"x\":\"\"}")) }
  }

  struct Page: Record {
    let number: Int
    let screen: Screen

    static let fields = Fields(Page.init, Field("number", \.number), Field(flattening: \.screen))
  }

  @Test func `an included record's fields are among the others`() throws {
    let text = #"{"number":1,"name":"a","pageSize":2,"throttle":3,"swipes":[],"next":null}"#
    let page = try Page(json: RawJSON(text))
    #expect(page.number == 1 && page.screen.name == "a" && page.screen.pageSize == 2)
    #expect(page.json.text == text)
    #expect(Page.fields.properties.map(\.name) == ["number", "name", "pageSize", "throttle", "swipes", "next"])
    let absent = try Page(json: RawJSON(#"{"number":1,"name":"a","swipes":[]}"#))
    #expect(absent.screen.pageSize == 20)
  }

  @Test func `failures in included fields are reported with the rest, by their own names`() throws {
    let json = try RawJSON(#"{"number":"x","pageSize":"y","swipes":[],"other":1}"#)
    var context = DecodingContext(unknownMembers: .reported)
    #expect(Page.decode(json, in: &context) == nil)
    #expect(
      context.failures.map(\.message) == [
        "'other' is unknown: expected 'number', 'name', 'pageSize', 'throttle', 'swipes' or 'next'",
        "'number' must be an integer", "'name' is missing: expected a string", "'pageSize' must be an integer",
      ])
  }
}
