import FlowTesting
import Testing

@Suite struct DiagramTests {
  @Test(arguments: ["", "-", "a", "-a--b|", "(ab)-(c|)", "--#", "^--!", "-(^!)", "(-)-(-a)"])
  func `a diagram is drawn as it was written`(text: String) {
    #expect(Diagram(text).description == text)
  }

  @Test func `a time is drawn in milliseconds`() {
    #expect(Diagram("a-5s-b").description == "a- 5000ms -b")
    #expect(Diagram(Diagram("a-5s-b").description) == "a-5s-b")
  }

  @Test func `spaces are skipped`() {
    #expect(Diagram(" -a  -b ").description == "-a-b")
  }

  @Test func `frames without events count, except at the end`() {
    #expect("-a--" as Diagram == "-a")
    #expect("-a" as Diagram == "-a-----")
    #expect("-a-b" as Diagram != "-ab")
    #expect("a" as Diagram != "b")
    #expect("(ab)" as Diagram != "(ba)")
    #expect("(ab)" as Diagram != "ab")
  }

  @Test func `a group of one event is that event, and an empty group is a frame without events`() {
    #expect("-(a)-b" as Diagram == "-a-b")
    #expect("()a" as Diagram == "-a")
  }

  @Test func `a group that is not closed extends to the end`() {
    #expect("-(ab" as Diagram == "-(ab)")
  }
}
