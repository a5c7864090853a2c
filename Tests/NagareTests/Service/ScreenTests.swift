import Flow
import Nagare
import Testing

@testable import Nagare

@Suite struct ScreenTests {
  private struct Start: Record {
    let from: Int?
    let label: String

    static let fields = Fields(Start.init, Field("from", \.from), Field("label", \.label, default: "none"))
  }

  private func client() -> Client {
    Client(
      .counter,
      Screen("from", viewModel: "counter", example: Start(from: nil, label: "")) { Counter(start: $0.from ?? 1) },
      Screen("needed", viewModel: "counter", example: Needed(from: 0)) { Counter(start: $0.from) })
  }

  private struct Needed: Record {
    let from: Int

    static let fields = Fields(Needed.init, Field("from", \.from))
  }

  @Test func `a parameter may be required`() {
    let client = client()
    #expect(client.call("open", #"{"screen":"needed"}"#)[0].contains(#""param":"params.from""#))
    #expect(client.call("open", #"{"screen":"needed","params":{"from":3}}"#)[0].contains(#""count":{"value":3}"#))
  }

  @Test func `each view is created with its own parameters`() throws {
    let client = client()
    #expect(client.call("open", #"{"screen":"from","params":{"from":7}}"#)[0].contains(#""count":{"value":7}"#))
    #expect(client.call("open", #"{"screen":"from","params":{}}"#)[0].contains(#""count":{"value":1}"#))
    #expect(client.call("open", #"{"screen":"from"}"#)[0].contains(#""count":{"value":1}"#))
    #expect(client.call("open", #"{"screen":"from","params":null}"#)[0].contains(#""count":{"value":1}"#))
  }

  @Test(arguments: [
    ("from", #"{"form":7}"#, "params.form"), ("from", #"{"from":"7"}"#, "params.from"), ("from", "[]", "params"),
    ("from", "7", "params"), ("counter", #"{"from":7}"#, "params.from"), ("counter", "7", "params"),
    ("counter", #""""#, "params"),
  ])
  func `unknown and invalid parameters are refused`(
    screen: String, params: String, fault: String
  ) throws {
    let client = client()
    let answer = client.call("open", #"{"screen":"\#(screen)","params":\#(params)}"#)
    #expect(answer[0].contains(#""code":-32602"#) && answer[0].contains(#""param":"\#(fault)""#), "\(answer)")
    #expect(client.call("close", #"{"view":"v1"}"#)[0].contains("-32001"))
  }

  @Test func `a screen can't be opened while its refusal returns a reason`() {
    var isSignedIn = false
    let client = Client(
      Screen("counter") { Counter() }.refusing {
        isSignedIn ? nil : Refusal("screen", mustBe: "opened by a user who has signed in")
      })
    let refused = client.call("open", #"{"screen":"counter"}"#)
    #expect(refused.count == 1 && refused[0].contains(#""code":-32602"#) && refused[0].contains(#""param":"screen""#))
    #expect(refused[0].contains("'screen' must be opened by a user who has signed in"))
    isSignedIn = true
    #expect(client.call("open", #"{"screen":"counter"}"#)[0].contains(#""count":{"value":0}"#))
  }

  @Test func `a screen without parameters accepts empty and missing params`() throws {
    let client = client()
    for params in ["{}", "null"] {
      #expect(client.call("open", #"{"screen":"counter","params":\#(params)}"#)[0].contains(#""result""#))
    }
  }

  @Test func `a screen that only other views open is described, but a client can't open it`() {
    let client = Client(.door(), Screen("behind", viewModel: "counter", openedByOthersLike: Counter()))
    #expect(client.call("open", #"{"screen":"behind"}"#)[0].contains(#""param":"screen""#))
    #expect(client.call("screens")[0].contains(#"{"screen":"behind","viewModel":"counter","inputs":["increment""#))
    client.call("open", #"{"screen":"door"}"#)
    #expect(client.call("enter").first?.contains(#""screen":"behind","view":"v2""#) == true)
  }

  @Test func `a screen replaces an earlier one with the same name`() {
    let client = Client(.counter, .door(), Screen("counter", viewModel: "other") { Counter(start: 5) })
    #expect(client.service.screenNames == ["door", "counter"])
    #expect(client.call("open", #"{"screen":"counter"}"#)[0].contains(#""viewModel":"other""#))
  }

  private struct Box<Content>: ViewModel {
    typealias Input = Counter.Input
    func transform(_ input: Input, on clock: any Scheduler) -> Counter.Output {
      Counter().transform(input, on: clock)
    }
  }

  @Test func `by default a screen has the name of its view model's type`() {
    let client = Client(Screen { Counter() }, Screen { Box<Int>() })
    #expect(client.service.screenNames == ["counter", "box"])
    #expect(client.call("open", #"{"screen":"box"}"#)[0].contains(#""screen":"box","viewModel":"box""#))
  }

  @Test func `a screen and its kind of view model can have different names`() {
    let client = Client(Screen("tally") { Counter() }, Screen("box", viewModel: "counting") { Box<Int>() })
    let screens = client.call("screens")[0]
    #expect(screens.contains(#"{"screen":"tally","viewModel":"counter","#))
    #expect(screens.contains(#"{"screen":"box","viewModel":"counting","#))
  }

  @Test func `a screen can have one parameter, which its view model receives`() {
    let client = Client(Screen("from", parameter: "start", example: 0) { Counter(start: $0) })
    let answer = client.call("open", #"{"screen":"from","params":{"start":7}}"#)[0]
    #expect(answer.contains(#""viewModel":"counter","#) && answer.contains(#""count":{"value":7}"#))
    for (params, fault) in [
      ("{}", "params.start"), (#"{"start":"7"}"#, "params.start"), (#"{"start":7,"end":9}"#, "params.end"),
      ("7", "params"),
    ] {
      let answer = client.call("open", #"{"screen":"from","params":\#(params)}"#)[0]
      #expect(answer.contains(#""code":-32602"#) && answer.contains(#""param":"\#(fault)""#), "\(answer)")
    }
    let schema = #""params":{"type":"object","properties":{"start":{"type":"integer"}},"required":["start"]}"#
    #expect(client.call("rpc.discover")[0].contains(schema))
  }

  @Test func `a screen without an example is described with made-up parameters`() {
    struct Start: Codable { let from: Int, label: String }
    let client = Client(
      Screen("from", parameter: "start") { Counter(start: $0) },
      Screen("labelled") { (start: Start) in Counter(start: start.from) })
    let document = client.call("rpc.discover")[0]
    for schema in [#"{"start":{"type":"integer"}}"#, #"{"from":{"type":"integer"},"label":{"type":"string"}}"#] {
      #expect(document.contains(#""properties":\#(schema)"#), "\(document)")
    }
    #expect(client.call("open", #"{"screen":"from","params":{"start":7}}"#)[0].contains(#""count":{"value":7}"#))
  }

  @Test func `a view model is created for each view, and once to describe the screen`() {
    var made = 0
    let client = Client(
      Screen("counter", viewModel: "counter") {
        made += 1
        return Counter()
      })
    #expect(made == 1)
    client.call("open", #"{"screen":"counter"}"#)
    client.call("open", #"{"screen":"counter"}"#)
    client.call("screens")
    #expect(made == 3)
  }
}
