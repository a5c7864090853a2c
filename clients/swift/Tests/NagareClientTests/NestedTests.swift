import Nagare
import Testing

@testable import NagareClient

/// A view with nested inputs and outputs, by key paths.
@Suite struct NestedTests {
  enum Editor {
    struct Input: Ports { let write = Port<String>("text") }
    struct Output: Outputs, Decodable {
      let text: Driver<String>
      let written: Signal<Int>
    }
  }

  enum Counter {
    struct Input: Ports { let add = Port<Int>("by") }
    struct Output: Outputs, Decodable { let count: Driver<Int> }
  }

  struct Input: Ports {
    @Nested var title = Editor.Input()
    @Nested var body = Editor.Input()
    let counter = Counter.Input()
  }

  struct Output: Outputs, Decodable {
    @Nested var title: Editor.Output
    @Nested var body: Editor.Output
    let counter: Counter.Output
  }

  private func open() async throws -> (Fake, Session, RemoteView<Input, Output>) {
    let (fake, session) = try await Fake.serve()
    async let view = session.open("rows")
    let outputs = #"{"title.text":{"value":"T"},"body.text":{"value":"B"},"count":{"value":3}}"#
    try fake.answer(
      try await fake.next("open"), #"{"view":"v","screen":"rows","viewModel":"list","outputs":\#(outputs)}"#)
    return (fake, session, try await view.as(RemoteView<Input, Output>.self))
  }

  @Test func `only nested inputs have the name of their namespace`() async throws {
    let (fake, _, view) = try await open()
    view.title.write.send("Dear Mei")
    #expect(try await fake.next("title.write")["params"]?.text == #"{"text":"Dear Mei","view":"v"}"#)
    view.body.write.send("…")
    _ = try await fake.next("body.write")
    async let added = view.counter.add(2)
    let asked = try await fake.next("add")
    #expect(asked["params"]?.text == #"{"by":2,"view":"v","wait":true}"#)
    try fake.answer(asked, #"{"outcome":"nothing"}"#)
    #expect(try await added == .nothing)
  }

  @Test func `only nested outputs have the name of their namespace`() async throws {
    let (fake, session, view) = try await open()
    #expect(try view.title.text == "T" && view.body.text == "B" && view.counter.count == 3)
    var texts = view.values(\.body.text).makeAsyncIterator()
    #expect(try await texts.next() == "B")
    var written = view.values(\.title.written).makeAsyncIterator()
    try fake.tell("body.written", #""value":7"#)
    try fake.tell("title.written", #""value":8"#)
    try fake.tell("body.text", #""value":"C""#)
    try await fake.settle(session)
    #expect(try await texts.next() == "C" && view.body.text == "C" && view.title.text == "T")
    #expect(try await written.next() == 8)
  }
}
