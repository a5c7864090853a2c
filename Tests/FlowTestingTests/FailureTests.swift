import Flow
import FlowTesting
import Testing

/// The texts of failed expectations. These tests expect wrong things, and check the issues that result.
@Suite struct FailureTests {
  private let m = Marbles()

  /// Runs code that must record one issue with this text at the given location. Any other issue, or none, is a failure.
  private func expectIssue(_ text: String, _ body: (SourceLocation) -> Void) {
    let there = SourceLocation(
      fileID: "FlowTestingTests/There.swift", filePath: "/There.swift", line: 7, column: 3)
    withKnownIssue {
      body(there)
    } matching: { issue in
      issue.comments.map(\.rawValue) == [text] && issue.sourceLocation == there
    }
  }

  @Test func `an issue shows both diagrams below each other, and marks the difference`() {
    let text = """
      the stream said something else
      actual:   0--1----2---
      expected: 0--1--2----|
                      ^ ^  ^
      """
    expectIssue(text) { m.expect(m.cold("0--1----2").stream, "0--1--2----|", sourceLocation: $0) }
  }

  @Test func `frames are aligned below each other, however wide they are drawn`() {
    let text = """
      the stream said something else
      actual:   -(ab)--c|   -
      expected: -a   -b-(c|)-
                 ^    ^^^    
      """
    expectIssue(text) { m.expect(m.cold("-(ab)--c|").stream, "-a-b-(c|)-", sourceLocation: $0) }
  }

  @Test func `a recording's issue shows both diagrams`() {
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

  @Test func `an issue names a subscription at the wrong time by its number`() {
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

  @Test func `an unknown character is an issue`() {
    expectIssue("“b” in the diagram “-a-b|” stands for nothing") {
      m.play("-a-b|", into: PublishSubject<Int>(), values: ["a": 1], sourceLocation: $0)
    }
  }

  @Test func `playing a frame in the past is an issue`() {
    m.clock.advance(by: .milliseconds(150))
    expectIssue("frame 1 of the diagram “-a-b” has passed") {
      m.play("-a-b", into: PublishSubject<Character>(), sourceLocation: $0)
    }
  }
}
