import Testing
import WireJSON

struct NearestNameTests {
  static let methods = ["initialize", "screens", "open", "outputs", "close", "ping", "rpc.discover", "clock/advance"]

  @Test(arguments: [
    ("opne", "open"), ("oepn", "open"), ("opn", "open"), ("openn", "open"), ("OPEN", "open"),
    ("initialise", "initialize"), ("screen", "screens"), ("clock_advance", "clock/advance"),
    ("rpc.disover", "rpc.discover"), ("output", "outputs"),
  ])
  func `a misspelt name has the name that was meant`(name: String, meant: String) {
    #expect(nearestName(to: name, in: Self.methods) == meant)
  }

  @Test(arguments: ["", "x", "frobnicate", "go", "list", "screenshots"])
  func `an unrelated name has none`(name: String) {
    #expect(nearestName(to: name, in: Self.methods) == nil)
  }

  @Test func `a name of one letter isn't near another one`() {
    #expect(nearestName(to: "a", in: ["b"]) == nil)
    #expect(nearestName(to: "ib", in: ["id"]) == "id")
  }

  @Test func `of equally near names the first one wins`() {
    #expect(nearestName(to: "mall", in: ["mail", "mill"]) == "mail")
    #expect(nearestName(to: "mill", in: ["mail", "mill"]) == "mill")
  }

  @Test func `swapped letters are one edit`() {
    #expect(nearestName(to: "di", in: ["id"]) == "id")
    #expect(nearestName(to: "ab", in: ["cd"]) == nil)
  }

  @Test func `very long names aren't compared`() {
    #expect(nearestName(to: String(repeating: "a", count: 64), in: [String(repeating: "a", count: 65)]) != nil)
    #expect(nearestName(to: String(repeating: "a", count: 65), in: [String(repeating: "a", count: 64)]) == nil)
    #expect(nearestName(to: "a", in: [String(repeating: "a", count: 1 << 20)]) == nil)
  }

  @Test func `a suggestion is the end of a message`() {
    #expect(suggestion(for: "opne", in: Self.methods) == "; did you mean \"open\"?")
    #expect(suggestion(for: "frobnicate", in: Self.methods) == "")
  }
}
