import Flow
import Nagare
import Testing

@Suite struct ViewsTests {
  /// Opens a view. Returns its name or the error.
  private func open(_ client: Client, _ params: String) -> String {
    let answer = client.call("open", params).last?.raw
    return answer?.member("result")?.member("view")?.string ?? answer?.member("error")?.text ?? "?"
  }

  @Test func `a view has the client's name, or else the next name that was never used`() {
    let client = Client(.counter)
    #expect(open(client, #"{"screen":"counter","view":"v2"}"#) == "v2")
    #expect(open(client, #"{"screen":"counter"}"#) == "v1")
    #expect(open(client, #"{"screen":"counter"}"#) == "v3")
    client.call("close", #"{"view":"v3"}"#)
    #expect(open(client, #"{"screen":"counter"}"#) == "v4")
    #expect(open(client, #"{"screen":"counter","view":"v4"}"#).contains("-32003"))
    #expect(open(client, #"{"screen":"counter","view":""}"#).contains(#""param":"view""#))
    #expect(open(client, #"{"screen":"counter","view":"ビュー"}"#) == "ビュー")
  }

  @Test func `the error for an unknown screen lists the known screens`() {
    let client = Client(.counter, .door())
    #expect(open(client, #"{"screen":"count"}"#).hasSuffix(#""data":{"screens":["counter","door"]}}"#))
    #expect(open(client, "{}").contains(#""param":"screen""#))
  }

  @Test func `a closed view is released before its queued output would be written`() {
    struct Kept: ViewModel {
      struct Input: Ports { let add = Trigger() }
      struct Output: Outputs { let count: Driver<Int> }
      struct State { var count = 0 }
      let opened: (Turn) -> Void

      func transform(_ input: Input, on clock: any Scheduler) -> Output {
        let state = Feedback(State(), on: clock)
        state.on(input.add) { $0.count += 1 }
        opened(state.count.turn)
        return Output(count: state.count)
      }
    }
    weak var state: Turn?
    let client = Client(Screen("kept") { Kept { state = $0 } })
    client.isBusy = true
    while client.service.peer.backlog.readyBytes < 1 << 16 { client.call("rpc.discover") }
    client.call("open", #"{"screen":"kept"}"#)
    client.notify("add")
    #expect(state != nil)
    client.call("close")
    #expect(state == nil)
  }

  @Test func `the parameter view may be left out while only one view is open`() {
    let client = Client(.counter)
    #expect(client.call("increment")[0].contains(#"the name of an open view; none is open"#))
    client.call("open", #"{"screen":"counter"}"#)
    #expect(client.call("increment").count == 3)
    #expect(client.call("increment", #"{"view":null}"#).count == 3)
    client.call("open", #"{"screen":"counter"}"#)
    #expect(client.call("increment")[0].contains("several views are open"))
    #expect(client.call("close", #"{"view":"v1"}"#).count == 1)
    #expect(client.call("increment")[0].contains(#""view":"v2""#))
  }

  @Test func `views of one screen have separate states`() {
    let client = Client(.counter)
    client.call("open", #"{"screen":"counter"}"#)
    client.call("open", #"{"screen":"counter"}"#)
    client.call("increment", #"{"view":"v2"}"#)
    #expect(client.call("outputs", #"{"view":"v1"}"#)[0].contains(#""count":{"value":0}"#))
    #expect(client.call("outputs", #"{"view":"v2"}"#)[0].contains(#""count":{"value":1}"#))
  }

  @Test func `the number of open views is limited, and closing one allows another`() {
    var limits = Service.Limits()
    limits.views = 2
    let client = Client(.counter, .door(), limits: limits)
    #expect(open(client, #"{"screen":"counter"}"#) == "v1")
    #expect(open(client, #"{"screen":"door"}"#) == "v2")
    #expect(open(client, #"{"screen":"counter"}"#).hasSuffix(#""data":{"limit":"views","max":2}}"#))
    let refused = client.call("enter", #"{"view":"v2"}"#)
    #expect(refused.last?.contains("-32005") == true && !refused.contains { $0.contains("navigate") })
    client.call("close", #"{"view":"v1"}"#)
    #expect(client.call("enter", #"{"view":"v2"}"#).compactMap(\.said).count == 2)
  }

  // MARK: - Views that open views

  @Test func `a navigation opens a view immediately, and its notification has the new view's current values`() {
    let client = Client(.door())
    client.call("open", #"{"screen":"door"}"#)
    #expect(
      client.call("enter") == [
        #"{"method":"navigate","params":{"view":"v1","value":{"screen":"behind","view":"v2","#
          + #""outputs":{"count":{"value":0},"even":{"value":true}}}}}"#,
        #"{"method":"entered","params":{"view":"v1","value":1}}"#, #"{"id":2,"result":{}}"#,
      ])
    #expect(client.call("increment", #"{"view":"v2"}"#).compactMap(\.said) == ["v2 count 1", "v2 even false"])
  }

  @Test func `changes in a new view within the same step are only part of the navigation`() {
    let child = Puppet()
    let parent = Puppet()
    let client = Client(.puppet(parent))
    client.call("open", #"{"screen":"puppet"}"#)
    parent.navigate.onNext(Navigation(to: "child", child))
    child.number.onNext(7)
    child.event.onNext("e")
    let said = client.step().compactMap(\.said)
    #expect(said.count == 2 && said[0].contains(#""number":{"value":7}"#) && said[1] == #"v2 event "e""#)
  }

  @Test func `a view can open another view while it is being opened`() {
    let client = Client(.door(Door(isOpen: true)))
    #expect(
      client.call("open", #"{"screen":"door"}"#) == [
        #"{"method":"navigate","params":{"view":"v1","value":{"screen":"behind","view":"v2","#
          + #""outputs":{"count":{"value":0},"even":{"value":true}}}}}"#,
        #"{"id":1,"result":{"view":"v1","screen":"door","viewModel":"door","outputs":{"entered":{"value":0}}}}"#,
      ])
    #expect(client.call("close", #"{"view":"v1"}"#).compactMap(\.said) == ["v2 closed {}"])
  }

  @Test func `a view closes together with its descendants, which send closed in their order`() {
    let client = Client(.door(Door(behind: Door())))
    client.call("open", #"{"screen":"door"}"#)
    client.call("enter", #"{"view":"v1"}"#)
    client.call("enter", #"{"view":"v1"}"#)
    client.call("enter", #"{"view":"v2"}"#)
    #expect(
      client.call("close", #"{"view":"v1"}"#).compactMap(\.said) == ["v2 closed {}", "v3 closed {}", "v4 closed {}"])
    #expect(client.call("enter", #"{"view":"v3"}"#)[0].hasSuffix(#""data":{"views":[]}}}"#))
  }

  @Test func `closing a child leaves its parent open`() {
    let client = Client(.door())
    client.call("open", #"{"screen":"door"}"#)
    client.call("enter")
    #expect(client.call("close", #"{"view":"v2"}"#) == [#"{"id":3,"result":{}}"#])
    #expect(client.call("enter").count == 3)
    #expect(client.call("close", #"{"view":"v1"}"#).compactMap(\.said) == ["v3 closed {}"])
  }

  @Test func `a closed view sends nothing more and releases its resources`() {
    let puppet = Puppet()
    let client = Client(.puppet(puppet))
    client.call("open", #"{"screen":"puppet"}"#)
    puppet.number.onNext(1)
    puppet.event.onNext("e")
    #expect(client.call("close") == [#"{"id":2,"result":{}}"#])
    puppet.number.onNext(2)
    #expect(client.step() == [])
    #expect(!puppet.number.hasObservers && !puppet.event.hasObservers)
  }

  @Test func `unreferenced views, view models and services are released`() {
    weak var service: Service?
    do {
      let client = Client(.door())
      service = client.service
      client.call("open", #"{"screen":"door"}"#)
      client.call("enter")
      #expect(service != nil)
    }
    #expect(service == nil)
  }
}
