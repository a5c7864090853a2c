import Flow
import Nagare
import Testing

@Suite struct DiscoveryTests {
  private func document(_ screens: Screen...) throws -> RawJSON {
    let client = Client()
    for screen in screens { client.service.add(screen) }
    return try #require(client.call("rpc.discover")[0].raw?.member("result"))
  }

  private func names(_ document: RawJSON, _ member: String) -> [String] {
    document.member(member)?.elements.compactMap { $0.member("name")?.string } ?? []
  }

  @Test func `every method is described, the session's first and then the inputs`() throws {
    let document = try document(.counter, .door())
    #expect(
      names(document, "methods") == [
        "initialize", "screens", "open", "outputs", "close", "dispatch", "ping", "rpc.discover", "clock/advance",
        "source/changed", "source/progress", "shutdown",
        "exit",
        "increment", "add", "reset", "enter",
      ])
    #expect(names(document, "x-notifications") == ["count", "even", "passed", "navigate", "entered", "closed"])
    #expect(document.member("openrpc")?.string?.hasPrefix("1.3.") == true)
  }

  @Test func `a method's parameters, result and errors are described`() throws {
    let methods = try #require(try document(.counter).member("methods"))
    let add = try #require(methods.elements.first { $0.member("name")?.string == "add" })
    #expect(names(add, "params") == ["view", "wait", "amount"])
    let outcome = add.member("result")?.member("schema")?.member("properties")?.member("outcome")
    #expect(outcome?.member("enum")?.text == #"["nothing","finished","dropped","failed"]"#)
    let amount = try #require(add.member("params")?.elements.first { $0.member("name")?.string == "amount" })
    #expect(amount.member("required")?.bool == true && amount.member("schema")?.text == #"{"type":"integer"}"#)
    #expect(add.member("errors")?.elements.compactMap { $0.member("code")?.int } == [-32601, -32602, -32001])
    let exit = try #require(methods.elements.first { $0.member("name")?.string == "exit" })
    #expect(exit.member("result") == nil)
  }

  @Test func `a name that several screens share is described once`() throws {
    let other = Screen("other", viewModel: "counter") { Counter() }
    let document = try document(.counter, other)
    #expect(names(document, "methods").filter { $0 == "add" }.count == 1)
    #expect(names(document, "x-notifications") == ["count", "even", "passed", "closed"])
    let add = try #require(document.member("methods")?.elements.first { $0.member("name")?.string == "add" })
    #expect(add.member("summary")?.string == "An input of the screens counter, other.")
  }

  @Test func `each kind of view model is described separately, with its summaries`() throws {
    let document = try document(.counter, Screen("again") { Counter() }, Screen { Described() })
    let viewModels = Array(try #require(document.member("x-viewModels")).elements)
    #expect(viewModels.map { $0.member("viewModel")?.string } == ["counter", "described"])
    #expect(names(viewModels[0], "inputs") == ["increment", "add", "reset"])
    let described = viewModels[1]
    #expect(described.member("summary")?.string == "All kinds of output.")
    #expect(described.member("inputs")?.text == #"[{"name":"ring","summary":"Rings.","params":{"type":"object"}}]"#)
    let outputs = Array(try #require(described.member("outputs")).elements)
    #expect(outputs.map { $0.member("kind")?.string } == ["state", "state", "list", "event", "event"])
    #expect(outputs[1].member("value")?.text == #"{"type":["string","null"]}"#)
    #expect(outputs.map { $0.member("summary")?.string } == ["How often.", nil, nil, nil, nil])
  }

  @Test func `all errors and built-in kinds of task are described`() throws {
    let document = try document(.counter)
    let errors = try #require(document.member("components")?.member("errors"))
    #expect(
      errors.members.compactMap { $0.value.member("code")?.int }
        == [-32700, -32600, -32601, -32602, -32603, -32800, -32001, -32002, -32003, -32005])
    let kinds = document.member("x-tasks")?.elements.compactMap { $0.member("kind")?.string }
    #expect(kinds == ["alert", "confirm", "prompt", "choose", "pickImage", "login"])
  }

  private struct Described: ViewModel {
    struct Input: Ports {
      let ring = Trigger()
    }
    struct Output: Outputs {
      let count: Driver<Int>
      let name: Driver<String?>
      let items: Driver<ItemList>
      let rang: Signal<Void>
      let navigate: Signal<Navigation>
    }

    static let summaries: KeyValuePairs = ["": "All kinds of output.", "ring": "Rings.", "count": "How often."]

    func transform(_ input: Input, on clock: any Scheduler) -> Output {
      Output(count: .just(0), name: .just(nil), items: .just(ItemList()), rang: .never(), navigate: .never())
    }
  }

  @Test func `the parameters of each screen are described`() throws {
    let screens = try #require(try document(.counter, .paged).member("x-screens"))
    let described = Array(screens.elements)
    #expect(described.map { $0.member("screen")?.string } == ["counter", "paged"])
    let properties = try #require(described[1].member("params")?.member("properties"))
    #expect(properties.members.map(\.key) == ["size"])
  }
}

extension Screen {
  fileprivate struct Size: Record {
    let size: Int?

    static let fields = Fields(Size.init, Field("size", \.size, "How many."))
  }

  /// A screen with an optional parameter.
  fileprivate static var paged: Screen {
    Screen("paged", viewModel: "counter", example: Size(size: nil)) { _ in Counter() }
  }
}
