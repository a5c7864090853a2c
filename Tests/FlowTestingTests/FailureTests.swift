import Flow
import FlowTesting
import Testing

/// What a wrong expectation says: these tests expect what is wrong, and check the issue that it makes.
@Suite struct FailureTests {
  private let m = Marbles()

  /// Runs what must make an issue with this text and the location it is given: any other issue, or none, is a failure.
  private func expectIssue(_ text: String, _ body: (SourceLocation) -> Void) {
    let there = SourceLocation(
      fileID: "FlowTestingTests/There.swift", filePath: "/There.swift", line: 7, column: 3)
    withKnownIssue {
      body(there)
    } matching: { issue in
      issue.comments.map(\.rawValue) == [text] && issue.sourceLocation == there
    }
  }

  @Test func `the diagrams stand under each other, and what differs is pointed at`() {
    let text = """
      the stream said something else
      actual:   0--1----2---
      expected: 0--1--2----|
                      ^ ^  ^
      """
    expectIssue(text) { m.expect(m.cold("0--1----2").stream, "0--1--2----|", sourceLocation: $0) }
  }

  @Test func `frames stand under frames, however wide they are drawn`() {
    let text = """
      the stream said something else
      actual:   -(ab)--c|   -
      expected: -a   -b-(c|)-
                 ^    ^^^    
      """
    expectIssue(text) { m.expect(m.cold("-(ab)--c|").stream, "-a-b-(c|)-", sourceLocation: $0) }
  }

  @Test func `a recording says so as well`() {
    let text = """
      the stream said something else
      actual:   ab|
      expected: -b|
                ^  
      """
    let recording = m.record(m.cold("ab|").stream)
    m.clock.run()
    expectIssue(text) { recording.expect("-b|", sourceLocation: $0) }
  }

  @Test func `a subscription at another time is named by its number`() {
    let source = m.cold("--|")
    let recordings = [m.record(source.stream), m.record(source.stream)]
    m.clock.run()
    let text = """
      subscription 1
      actual:   ^-!
      expected: ^!-
                 ^^
      """
    expectIssue(text) { source.expectSubscriptions("^-!", "^!", sourceLocation: $0) }
    expectIssue("2 subscriptions, 1 expected: [^-!, ^-!]") { source.expectSubscriptions("^-!", sourceLocation: $0) }
    recordings[0].expect("--|")
  }

  @Test func `a character that stands for nothing`() {
    expectIssue("“b” in the diagram “-a-b|” stands for nothing") {
      m.play("-a-b|", into: PublishSubject<Int>(), values: ["a": 1], sourceLocation: $0)
    }
  }

  @Test func `a frame that has passed`() {
    m.clock.advance(by: .milliseconds(150))
    expectIssue("frame 1 of the diagram “-a-b” has passed") {
      m.play("-a-b", into: PublishSubject<Character>(), sourceLocation: $0)
    }
  }
}
