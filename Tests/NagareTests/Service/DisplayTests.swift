import Flow
import Nagare
import Testing

@testable import Nagare

@Suite struct DisplayTests {
  private struct Inbox: ViewModel {
    struct Input: Ports {
      let assign = Port<Assignment>()
      let read = Trigger()
    }
    struct Output: Outputs { let count: Driver<Int> }
    struct Assignment: Codable {
      let id: String
      let to: String
    }

    static var display: Display? { Display(title: "subject", actions: [.init("assign", params: ["to": "me".json])]) }

    func transform(_ input: Input, on clock: any Scheduler) -> Output { Output(count: .just(0)) }
  }

  private func displayed(_ screen: Screen) throws -> String? {
    let client = Client()
    client.service.add(screen)
    let screens = client.call("rpc.discover")[0].raw?.member("result")?.member("x-screens")
    return try #require(screens?.elements.first { _ in true }).member("display")?.text
  }

  @Test func `discovery has the view model's display, unless the screen has its own`() throws {
    #expect(
      try displayed(Screen { Inbox() }) == #"{"title":"subject","actions":[{"input":"assign","params":{"to":"me"}}]}"#)
    #expect(try displayed(Screen { Inbox() }.displayed(as: Display(badge: "count"))) == #"{"badge":"count"}"#)
    #expect(try displayed(.counter) == nil)
  }

  @Test func `a display is written exactly as it was read`() throws {
    let text = #"""
      {"title":"a","subtitle":"a.b","body":{"member":"t","format":"html"},"badge":"c","image":"d","date":"e","unread":"f",\#
      "hidden":["g"],"columns":["h",{"member":"i","name":"I","format":"money","currency":"EUR","align":"end"}],\#
      "actions":[{"input":"change","set":{"j":1},"params":{"k":"{l}"},"name":"C","icon":"✓","key":"c","confirm":"?",\#
      "undo":true,"for":"many"}]}
      """#
    #expect(try Display(json: RawJSON(text)).json.text == text)
  }

  @Test func `a mistake in a view model's display is reported before the screen is opened`() {
    func error(_ display: Display) -> String? { Screen { Inbox() }.displayed(as: display).displayError }
    let start = "the display of the screen \"inbox\": "
    #expect(error(Display(actions: [.init("read", key: "r"), .init("assign", key: "R")])) == nil)
    #expect(
      error(Display(actions: [.init("read"), .init("archive")]))
        == start + #"'actions[1].input' must be an input of the screen, "assign" or "read", not "archive""#)
    #expect(
      error(Display(actions: [.init("assign", params: ["who": "me".json])]))
        == start + "'actions[0].params.who' is unknown: expected 'id' or 'to'")
    #expect(
      error(Display(actions: [.init("read", params: ["id": "{id}".json])]))
        == start + "'actions[0].params.id' is unknown: expected nothing")
    #expect(
      error(Display(actions: [.init("read", key: "r"), .init("assign", key: "r")]))
        == start + #"'actions[1].key' must be a key that no other action has, not "r""#)
    #expect(
      error(Display(columns: [.init("price", format: .money)]))
        == start + #"'columns[0].currency' is missing: expected the three letters of a currency, such as "JPY""#)
  }
}
