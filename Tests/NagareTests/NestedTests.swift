import Flow
import Nagare
import Testing

@testable import Nagare

/// A view model with two children of one type.
private struct Letter: ViewModel {
  struct Editor {
    struct Input: Ports { let write = Port<String>("text") }
    struct Output: Outputs {
      let text: Driver<String>
      let written: Signal<Void>
    }
    struct State { var text = "" }

    static func output(_ input: Input, on clock: any Scheduler) -> Output {
      let state = Feedback(State(), on: clock)
      let written = state.on(input.write) { state, text in
        if text.isEmpty { throw Refusal("text", mustBe: "something") }
        state.text = text
      }
      return Output(text: state.text, written: written)
    }
  }

  struct Input: Ports {
    @Nested var title = Editor.Input()
    @Nested var body = Editor.Input()
    let write = Trigger()
  }
  struct Output: Outputs {
    @Nested var title: Editor.Output
    @Nested var body: Editor.Output
  }

  func transform(_ input: Input, on clock: any Scheduler) -> Output {
    Output(title: Editor.output(input.title, on: clock), body: Editor.output(input.body, on: clock))
  }
}

@Suite struct NestedTests {
  @Test func `two children of one type have separate namespaces`() {
    let client = Client(Screen { Letter() })
    #expect(
      client.call("open", #"{"screen":"letter"}"#)[0].contains(
        #""outputs":{"title.text":{"value":""},"body.text":{"value":""}}"#))
    let said = client.call("body.write", #"{"text":"Dear Mei"}"#)
    #expect(said.contains(#"{"method":"body.text","params":{"view":"v1","value":"Dear Mei"}}"#))
    #expect(said.contains(#"{"method":"body.written","params":{"view":"v1","value":{}}}"#))
    #expect(!said.contains { $0.contains("title") })
    #expect(client.call("title.write", #"{"text":""}"#)[0].contains("'text' must be something"))
    let document = client.call("rpc.discover")[0]
    for name in ["title.write", "body.write", "write", "title.text", "body.text", "body.written"] {
      #expect(document.contains(#""name":"\#(name)""#), "\(name)")
    }
  }

  @Test func `an error in a namespace is reported with its path`() {
    struct Twice: Ports {
      @Nested var title = Letter.Editor.Input()
      let other = Named()
    }
    struct Named: Ports {
      let write: Port<String>
      init() { write = Port("text") }
    }
    struct Model<Input: Ports>: ViewModel {
      struct Output: Outputs {}
      func transform(_ input: Input, on clock: any Scheduler) -> Output { Output() }
    }
    #expect(throws: Never.self) { try ViewModelBinding.checking(Model<Twice>(), on: VirtualScheduler()) }
    struct Deep: Ports {
      @Nested var outer = Middle()
    }
    struct Middle: Ports {
      @Nested var inner = Wrong()
    }
    struct Wrong: Ports { let count = 1 }
    let error = #expect(throws: DeclarationError.self) {
      try ViewModelBinding.checking(Model<Deep>(), on: VirtualScheduler())
    }
    #expect(error?.description.contains(".Input.outer.inner.count is an Int;") == true)
  }
}
