import Foundation
import Nagare
import NagareTesting
import Testing

/// Transcripts of a counter that also counts by itself, and of a list.
@Suite struct TranscriptTests {
  struct Counter: ViewModel {
    struct Input: Ports {
      let add = Port<Int>("by")
      let later = Trigger()
    }
    struct Output: Outputs {
      let count: Driver<Int>
    }
    struct State {
      var count = 0
      var pause = Pause()
    }

    func transform(_ input: Input, on clock: any Scheduler) -> Output {
      let state = Feedback(State(), on: clock)
      state.on(input.add) { state, number in
        if number < 0 { throw Refusal("by", mustBe: "0 or more", not: number) }
        state.count += number
      }
      state.on(input.later) { $0.pause.start() }
      state.on(\.pause, after: .seconds(1)) { $0.count += 1 }
      return Output(count: state.count)
    }
  }

  struct Words: ViewModel {
    struct Word: Codable, Identifiable { let id: String }
    struct Input: Ports {
      let write = Port<String>("id")
    }
    struct Output: Outputs {
      let words: Driver<Items<Word>>
    }
    struct State { var words = Items<Word>() }

    func transform(_ input: Input, on clock: any Scheduler) -> Output {
      let state = Feedback(State(), on: clock)
      state.on(input.write) { try $0.words.append([Word(id: $1)]) }
      return Output(words: state.words)
    }
  }

  private let service = Service(clock: VirtualScheduler())

  init() {
    service.add(Screen { Counter() })
    service.add(Screen { Words() })
  }

  private func counted(to number: Int) -> Transcript {
    let transcript = Transcript("The counter counts up.", of: service)
    transcript.call("open", ["screen": "counter", "view": "v"])
    transcript.call("add", ["by": number])
    return transcript
  }

  @Test func `the text has the format of the conformance transcripts`() {
    let transcript = Transcript("The counter counts up,\nat once or later.", of: service)
    transcript.call("open", ["screen": "counter", "view": "v"])
    let messages = transcript.call("add", ["by": 2])
    #expect(messages.map { $0.member("method")?.string ?? "answer" } == ["count", "answer"])
    transcript.comment("a second passes")
    transcript.notify("later")
    #expect(transcript.advance(by: .milliseconds(999)).isEmpty)
    #expect(transcript.advance(by: .milliseconds(1)).map { $0.member("method")?.string } == ["count"])
    transcript.send("[1")
    #expect(
      transcript.text == #"""
        # The counter counts up,
        # at once or later.
        --> {"jsonrpc":"2.0","id":1,"method":"open","params":{"screen":"counter","view":"v"}}
        <-- {"jsonrpc":"2.0","id":1,"result":{"view":"v","screen":"counter","viewModel":"counter","outputs":{"count":{"value":0}}}}
        --> {"jsonrpc":"2.0","id":2,"method":"add","params":{"by":2}}
        <-- {"jsonrpc":"2.0","method":"count","params":{"view":"v","value":2}}
        <-- {"jsonrpc":"2.0","id":2,"result":{}}
        # a second passes
        --> {"jsonrpc":"2.0","method":"later"}
        advance 999
        advance 1
        <-- {"jsonrpc":"2.0","method":"count","params":{"view":"v","value":3}}
        --> [1
        <-- {"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"unexpected end of text","data":{"offset":2,"message":"<message>"}}}

        """#)
  }

  @Test func `revisions, the server's name and the limits are placeholders`() {
    let transcript = Transcript("A word is listed.", of: service)
    transcript.call(
      "initialize", ["protocolVersion": "1", "capabilities": ["deltas": true].json])
    transcript.call("open", ["screen": "words", "view": "v"])
    transcript.call("write", ["id": "a"])
    #expect(
      transcript.text == #"""
        # A word is listed.
        --> {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"1","capabilities":{"deltas":true}}}
        <-- {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"1","server":"<object>","capabilities":{"deltas":true,"virtualClock":true},"limits":"<object>"}}
        --> {"jsonrpc":"2.0","id":2,"method":"open","params":{"screen":"words","view":"v"}}
        <-- {"jsonrpc":"2.0","id":2,"result":{"view":"v","screen":"words","viewModel":"words","outputs":{"words":{"value":[],"revision":0}}}}
        --> {"jsonrpc":"2.0","id":3,"method":"write","params":{"id":"a"}}
        <-- {"jsonrpc":"2.0","method":"words","params":{"view":"v","base":"<base>","revision":"<revision>","count":1,"splices":[{"start":0,"deleteCount":0,"items":[{"id":"a"}]}]}}
        <-- {"jsonrpc":"2.0","id":3,"result":{}}

        """#)
  }

  @Test func `a transcript equals the file that it wrote`() throws {
    let folder = try Folder()
    let transcript = counted(to: 2)
    transcript.expect(file: "new/counter.txt", rewriting: true, relativeTo: folder.source)
    transcript.expect(file: "new/counter.txt", rewriting: false, relativeTo: folder.source)
    transcript.expect(file: "\(folder.path)/new/counter.txt", rewriting: false)
    #expect(try folder.read("new/counter.txt") == transcript.text)
  }

  @Test func `a difference is an issue that shows the lines`() throws {
    let folder = try Folder()
    let written = counted(to: 2)
    written.expect(file: "counter.txt", rewriting: true, relativeTo: folder.source)
    let other = Service(clock: VirtualScheduler())
    other.add(Screen { Counter() })
    let transcript = Transcript("The counter counts up.", of: other)
    transcript.call("open", ["screen": "counter", "view": "v"])
    transcript.call("add", ["by": 3])
    let issues = issues {
      transcript.expect(file: "counter.txt", rewriting: false, relativeTo: folder.source, sourceLocation: there)
    }
    #expect(
      issues == [
        #"""
        the service sent something else than counter.txt has:
          …
          2   --> {"jsonrpc":"2.0","id":1,"method":"open","params":{"screen":"counter","view":"v"}}
          3   <-- {"jsonrpc":"2.0","id":1,"result":{"view":"v","screen":"counter","viewModel":"counter","outputs":{"count":{"value":0}}}}
          4 - --> {"jsonrpc":"2.0","id":2,"method":"add","params":{"by":2}}
          5 - <-- {"jsonrpc":"2.0","method":"count","params":{"view":"v","value":2}}
            + --> {"jsonrpc":"2.0","id":2,"method":"add","params":{"by":3}}
            + <-- {"jsonrpc":"2.0","method":"count","params":{"view":"v","value":3}}
          6   <-- {"jsonrpc":"2.0","id":2,"result":{}}
        If this is right, run the test with NAGARE_RECORD=1 to write the file again.
        """#
      ])
  }

  @Test func `the first different character of a changed line is marked`() throws {
    let folder = try Folder()
    let transcript = counted(to: 2)
    try folder.write("counter.txt", transcript.text.replacing("\"value\":2", with: "\"value\":4"))
    let issues = issues {
      transcript.expect(file: "counter.txt", rewriting: false, relativeTo: folder.source, sourceLocation: there)
    }
    let lines = issues.first?.split(separator: "\n") ?? []
    let line = try #require(lines.firstIndex { $0.hasPrefix("  5 - ") })
    let column = try #require(lines[line].firstIndex(of: "4"))
    #expect(lines[line + 1].hasSuffix("\"value\":2}}"))
    #expect(lines[line + 2] == lines[line][..<column].map { _ in " " }.joined() + "^")
  }

  @Test func `a path may have spaces and letters beyond ASCII`() throws {
    let folder = try Folder()
    let transcript = counted(to: 2)
    transcript.expect(file: "my tests/Zähler.txt", rewriting: true, relativeTo: folder.source)
    transcript.expect(file: "my tests/Zähler.txt", rewriting: false, relativeTo: folder.source)
    #expect(try folder.read("my tests/Zähler.txt") == transcript.text)
  }

  @Test func `a message may have Unicode's line separator, and a comment any line break`() {
    let transcript = Transcript("One.\r\nTwo.", of: service)
    transcript.call("open", ["screen": "words", "view": "v"])
    transcript.call("write", ["id": "a\u{2028}b"])
    let lines = transcript.text.split(separator: "\n")
    #expect(Array(lines.prefix(2)) == ["# One.", "# Two."])
    #expect(lines.dropFirst(2).allSatisfy { $0.hasPrefix("-->") || $0.hasPrefix("<--") } && lines.count == 7)
  }

  @Test func `a missing file is an issue with the remedy`() throws {
    let folder = try Folder()
    let issues = issues {
      counted(to: 1).expect(file: "none.txt", rewriting: false, relativeTo: folder.source, sourceLocation: there)
    }
    #expect(issues == ["there is no transcript none.txt; run the test with NAGARE_RECORD=1 to write it"])
  }
}

/// A folder that is removed after the test.
private final class Folder {
  let path = FileManager.default.temporaryDirectory.appending(component: "nagare-\(UUID())").path()
  /// The path of a source file in it.
  var source: String { "\(path)/Tests.swift" }

  init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func write(_ name: String, _ text: String) throws { try Data(text.utf8).write(to: URL(filePath: "\(path)/\(name)")) }

  func read(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(filePath: "\(path)/\(name)")), as: UTF8.self)
  }
}
