import Flow
import Testing
import WireJSON

@testable import Nagare

struct UnreadParameterTests {
  struct Open: ViewModel {
    struct Input: Ports {
      let anything = Port<RawJSON>()
      let json = Port<RawJSON>("json")
    }
    struct Output: Outputs { let last: Driver<Int> }

    func transform(_ input: Input, on clock: any Scheduler) -> Output {
      Output(last: input.anything.stream.map { $0.count }.asDriver(startingWith: 0) { _ in 0 })
    }
  }

  private let client: Client
  private let reports: Reports

  private final class Reports { var all: [String] = [] }

  init() {
    client = Client(.counter, Screen("open") { Open() })
    let reports = Reports()
    self.reports = reports
    client.service.onUnreadParameter = { reports.all.append($0) }
    client.call("open", #"{"screen":"counter","view":"c"}"#)
    client.call("open", #"{"screen":"open","view":"o"}"#)
  }

  @Test func `parameters of every input and of the input itself aren't reported`() {
    client.call("increment", #"{"view":"c","wait":true}"#)
    client.call("add", #"{"view":"c","amount":1}"#)
    client.call("reset", #"{"view":"c","to":1,"by":"me"}"#)
    client.call("outputs", #"{"view":"c","wait":null}"#)
    #expect(reports.all == [])
  }

  @Test func `an input whose parameters have any name reports none`() {
    client.call("anything", #"{"view":"o","a":1,"b":2}"#)
    client.call("json", #"{"view":"o","json":{"x":1}}"#)
    #expect(reports.all == [])
  }

  @Test func `a misspelt parameter is reported with the name that was probably meant`() {
    client.call("reset", #"{"view":"c","bye":"me"}"#)
    client.notify("increment", #"{"view":"c","wiat":true}"#)
    #expect(
      reports.all == [
        #""reset" has no parameter "bye", so it was ignored; did you mean "by"?"#,
        #""increment" has no parameter "wiat", so it was ignored; did you mean "wait"?"#,
      ])
  }

  @Test func `a refused call reports nothing, because its error names the parameter`() {
    let answer = client.call("add", #"{"view":"c","amuont":1}"#)[0]
    #expect(answer.contains("'amount' is missing: expected an integer; did you misspell it as 'amuont'?"))
    #expect(reports.all == [])
  }
}
