import Nagare
import Testing

@testable import NagareClient

/// Views and sources whose types are only `Codable`, with a fake server.
@Suite struct CodableTests {
  enum Sort: String, Codable, CaseIterable { case date, name }

  struct Row: Codable, Identifiable, Equatable {
    let id: String
    let size: UInt8?
  }

  struct Filter: Codable { let text: String }

  struct Refused: Encodable {
    struct Reason: Error {}
    func encode(to encoder: any Encoder) throws { throw Reason() }
  }

  struct Input: Ports {
    let sort = Port<Sort>("by")
    let filter = Port<Filter>()
  }
  /// The outputs have the names that the server opens a view with.
  struct Output {
    let items: Driver<Items<Row>>
    let loading: Driver<Sort>
    let state: Driver<Row?>
  }

  private func open(_ outputs: String) async throws -> (Fake, Session, RemoteView<Input, Output>) {
    let (fake, session) = try await Fake.serve()
    return (fake, session, try await fake.open(session, items: outputs).as(RemoteView<Input, Output>.self))
  }

  @Test func `outputs are decoded to Codable types`() async throws {
    let (fake, session, view) = try await open(#"[{"id":"a","size":3}]"#)
    #expect(try view.items.first == Row(id: "a", size: 3))
    try fake.tell("loading", #""value":"name""#)
    try fake.tell("state", #""value":{"id":"b"}"#)
    try await fake.settle(session)
    #expect(try view.loading == .name && view.state == Row(id: "b", size: nil))
    try fake.tell("loading", #""value":"age""#)
    try fake.tell("state", #""value":null"#)
    try await fake.settle(session)
    #expect(try view.state == nil)
    let error = #expect(throws: OutputMismatch.self) { try view.loading }
    #expect(error?.description == #""loading" of "rows" is no Sort: the value must be "date" or "name"; it is "age""#)
  }

  @Test func `the error for an item that cannot be decoded contains its position`() async throws {
    let (_, _, view) = try await open(#"[{"id":"a"},{"id":"b","size":300}]"#)
    let error = #expect(throws: OutputMismatch.self) { try view.items }
    let reason = "'size' must be a whole number, 0 to 255"
    #expect(error?.description == #"the item at 1 is no Row: \#(reason); it is {"id":"b","size":300}"#)
  }

  @Test func `inputs and parameters are encoded from Codable types`() async throws {
    let (fake, session, view) = try await open("[]")
    view.sort.send(.name)
    #expect(try await fake.next("sort")["params"]?.text == #"{"by":"name","view":"v"}"#)
    view.filter.send(Filter(text: "a"))
    #expect(try await fake.next("filter")["params"]?.text == #"{"text":"a","view":"v"}"#)
    async let called = view.open("filter", Filter(text: "b"))
    // The client sends a ping to separate earlier messages from the input that opens a view.
    try fake.answer(try await fake.next("ping"))
    let asked = try await fake.next("filter")
    #expect(asked["params"]?.text == #"{"text":"b","view":"v"}"#)
    try fake.answer(asked)
    _ = try await called
    await #expect(throws: EncodingFailure.self) { try await view.call("filter", Refused()) }
    await #expect(throws: EncodingFailure.self) { try await session.dispatch("look", Refused()) }
  }

  @Test func `results and pages are encoded from Codable types`() throws {
    #expect(
      try TaskOutcome.completed(Row(id: "a", size: 1)).json.text
        == #"{"outcome":"completed","value":{"id":"a","size":1}}"#)
    let page = try SourcePage([Row(id: "a", size: nil)], next: Filter(text: "b"), total: 2)
    #expect(page.json.text == #"{"items":[{"id":"a"}],"next":{"text":"b"},"total":2}"#)
    #expect(throws: EncodingFailure.self) { try TaskOutcome.completed(Refused()) }
    #expect(throws: EncodingFailure.self) { try SourcePage([Refused()]) }
  }
}
