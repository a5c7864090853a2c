import Flow
import Nagare
import Testing

/// A view model with one task.
private struct Renamer: ViewModel {
  struct Input: Ports {
    let rename = Trigger()
    let present = Presenter()
  }
  struct Output: Outputs {
    let name: Driver<String>
    let error: Driver<Failure?>
  }

  func transform(_ input: Input, on clock: any Scheduler) -> Output {
    let name = Feedback(Load(""), on: clock)
    name.on(input.rename) { $0.startIfIdle() }
    name.react(to: \.self, by: input.present) { _ in .prompt("Name") }
    return Output(name: name.value.map { $0 ?? "" }, error: name.failure)
  }
}

@Suite struct PresentTests {
  private let client = Client(Screen("renamer", viewModel: "renamer") { Renamer() })

  /// A client that presents tasks, with one open view.
  private func opened() -> Client {
    client.call("initialize", #"{"protocolVersion":"1","capabilities":{"present":true}}"#)
    client.call("open", #"{"screen":"renamer","view":"a"}"#)
    return client
  }

  @Test func `the client receives the task, and its answer is the result`() {
    let client = opened()
    #expect(
      client.notify("rename") == [
        #"{"id":1,"method":"present","params":{"view":"a","task":{"kind":"prompt","title":"Name"}}}"#
      ])
    #expect(
      client.send(#"{"jsonrpc":"2.0","id":1,"result":{"outcome":"completed","value":"Mei"}}"#)
        == [#"{"method":"name","params":{"view":"a","value":"Mei"}}"#])
  }

  @Test func `the request for a task comes before the answer to the call that caused it`() {
    let client = opened()
    let lines = client.call("rename")
    #expect(lines.count == 2)
    #expect(lines.first?.contains("present") == true)
    #expect(lines.last?.contains("result") == true)
  }

  @Test func `closing the view cancels its task`() {
    let client = opened()
    client.notify("rename")
    let lines = client.call("close", #"{"view":"a"}"#)
    #expect(lines.first == #"{"method":"$/cancelRequest","params":{"id":1}}"#)
    #expect(client.send(#"{"jsonrpc":"2.0","id":1,"result":{"outcome":"completed","value":"late"}}"#).isEmpty)
  }

  @Test func `two views can present tasks at the same time`() {
    let client = opened()
    client.call("open", #"{"screen":"renamer","view":"b"}"#)
    #expect(client.notify("rename", #"{"view":"a"}"#).count == 1)
    #expect(client.notify("rename", #"{"view":"b"}"#).count == 1)
    #expect(
      client.send(#"{"jsonrpc":"2.0","id":2,"result":{"outcome":"completed","value":"B"}}"#)
        == [#"{"method":"name","params":{"view":"b","value":"B"}}"#])
    #expect(
      client.send(#"{"jsonrpc":"2.0","id":1,"result":{"outcome":"completed","value":"A"}}"#)
        == [#"{"method":"name","params":{"view":"a","value":"A"}}"#])
  }

  @Test(arguments: [
    (#""result":{"outcome":"maybe"}"#, -32012), (#""result":{}"#, -32012), (#""result":7"#, -32012),
    (#""result":{"outcome":"completed"}"#, -32012), (#""result":{"outcome":"completed","value":7}"#, -32012),
    (#""error":{"code":5,"message":"no screen"}"#, 5),
  ])
  func `after an error or an invalid answer the next call presents the task again`(answer: String, code: Int) {
    let client = opened()
    client.notify("rename")
    let lines = client.send(#"{"jsonrpc":"2.0","id":1,\#(answer)}"#)
    #expect(lines.first?.hasPrefix(#"{"method":"error","params":{"view":"a","value":{"code":\#(code),"#) == true)
    #expect(client.notify("rename").first?.contains(#""id":2,"method":"present""#) == true)
  }

  @Test func `a second answer is ignored`() {
    let client = opened()
    client.notify("rename")
    client.send(#"{"jsonrpc":"2.0","id":1,"result":{"outcome":"cancelled"}}"#)
    #expect(client.send(#"{"jsonrpc":"2.0","id":1,"result":{"outcome":"completed","value":"again"}}"#).isEmpty)
  }

  @Test func `a client that can't present tasks receives no request`() {
    client.call("open", #"{"screen":"renamer","view":"a"}"#)
    let lines = client.notify("rename")
    #expect(lines.count == 1)
    #expect(lines[0].contains(#""code":-32010"#) && lines[0].contains("capabilities"), "\(lines)")
  }
}
