import Flow
import Nagare
import Testing

@testable import Nagare

@Suite struct OutputsTests {
  let puppet = Puppet()
  let client: Client

  init() {
    client = Client(.puppet(puppet))
    client.call("open", #"{"screen":"puppet"}"#)
  }

  @Test func `the answers to open and outputs have current values, but no events`() {
    puppet.number.onNext(4)
    puppet.event.onNext("e")
    puppet.fault.onNext("f")
    puppet.items.onNext(ItemList([1, 2]))
    client.step()
    #expect(
      client.call("outputs") == [
        #"{"id":2,"result":{"outputs":{"number":{"value":4},"fault":{"value":"f"},"#
          + #""items":{"value":[{"id":"1","value":0},{"id":"2","value":0}],"revision":1},"last":{"value":false}}}}"#
      ])
  }

  @Test func `each event is sent, even if it equals the one before`() {
    for _ in 1...3 { puppet.event.onNext("e") }
    #expect(client.step().compactMap(\.said) == Array(repeating: #"v1 event "e""#, count: 3))
  }

  @Test func `nil is a value like others, also at first`() {
    #expect(client.call("outputs")[0].contains(#""fault":{"value":null}"#))
    puppet.fault.onNext("f")
    puppet.fault.onNext("f")
    #expect(client.step().compactMap(\.said) == [#"v1 fault "f""#])
    puppet.fault.onNext("f")
    #expect(client.step() == [])
    puppet.fault.onNext(nil)
    #expect(client.step().compactMap(\.said) == ["v1 fault null"])
    puppet.fault.onNext(nil)
    #expect(client.step() == [])
    puppet.fault.onNext("f")
    puppet.fault.onNext(nil)
    #expect(client.step() == [])
  }

  @Test func `a step sends only the last value of a state`() {
    for fault in ["f", nil, "g"] { puppet.fault.onNext(fault) }
    #expect(client.step().compactMap(\.said) == [#"v1 fault "g""#])
  }

  @Test func `a state that returns to its previous value within a step isn't sent`() {
    puppet.items.onNext(ItemList([1]))
    puppet.items.onNext(ItemList([]))
    puppet.last.onNext(true)
    puppet.last.onNext(false)
    #expect(client.step() == [])
    #expect(client.call("outputs")[0].contains(#""items":{"value":[],"revision":0}"#))
  }

  @Test func `the revision grows only when the items change`() {
    for ids in [[1, 2], [1, 2], [1, 2, 3]] {
      puppet.items.onNext(ItemList(ids))
      puppet.last.onNext(true)
      client.step()
    }
    #expect(client.call("outputs")[0].contains(#""revision":2"#))
  }

  @Test func `the items at the opening of a view have revision 0`() {
    puppet.items.onNext(ItemList([1]))
    client.step()
    #expect(client.call("open", #"{"screen":"puppet"}"#)[0].contains(#"[{"id":"1","value":0}],"revision":0"#))
  }

  // MARK: - A client that reads slowly

  /// Fills the output that can be written immediately, so that later outputs are queued.
  private func becomeBusy() {
    client.isBusy = true
    let long = String(repeating: "x", count: 70_000)
    client.send(#"{"jsonrpc":"2.0","id":"\#(long)","method":"ping"}"#)
  }

  /// Reads everything that was queued, except for the answer that filled the output.
  private func catchUp() -> [String] {
    client.isBusy = false
    return Array(client.read().dropFirst())
  }

  @Test func `a newer value replaces an unsent one and is queued last`() {
    becomeBusy()
    for number in 1...100 {
      puppet.number.onNext(number)
      client.step()
    }
    puppet.last.onNext(true)
    client.step()
    puppet.number.onNext(7)
    client.step()
    #expect(catchUp().compactMap(\.said) == ["v1 last true", "v1 number 7"])
    #expect(client.read() == [])
  }

  @Test func `a value that returned to the one sent last isn't sent`() {
    becomeBusy()
    puppet.number.onNext(1)
    client.step()
    puppet.number.onNext(0)
    client.step()
    #expect(catchUp() == [])
  }

  @Test func `events, navigations and answers are never dropped, but only the last failure is sent`() {
    becomeBusy()
    for number in 1...3 {
      puppet.event.onNext("\(number)")
      puppet.fault.onNext("f\(number)")
      puppet.navigate.onNext(Navigation(to: "counter", Counter()))
      client.step()
      client.call("ping")
    }
    let messages = catchUp()
    #expect(messages.compactMap(\.said).filter { $0.contains("event") } == (1...3).map { "v1 event \"\($0)\"" })
    #expect(messages.compactMap(\.said).filter { $0.contains("fault") } == [#"v1 fault "f3""#])
    #expect(messages.filter { $0.contains("navigate") }.count == 3)
    #expect(messages.filter { $0.hasSuffix(#""result":{}}"#) }.count == 3)
  }

  @Test func `the answer to outputs includes queued values, and splices continue from it`() {
    client.call("initialize", #"{"protocolVersion":"1","capabilities":{"deltas":true}}"#)
    becomeBusy()
    puppet.items.onNext(ItemList([1]))
    puppet.number.onNext(1)
    client.step()
    client.call("outputs")
    puppet.items.onNext(ItemList([1, 2]))
    client.step()
    let messages = catchUp()
    #expect(messages.count == 2)
    #expect(messages[0].contains(#""number":{"value":1}"#) && messages[0].contains(#""revision":1"#))
    #expect(
      messages[1] == #"{"method":"items","params":{"view":"v1","base":1,"revision":2,"count":2,"#
        + #""splices":[{"start":1,"deleteCount":0,"items":[{"id":"2","value":0}]}]}}"#)
  }

  @Test func `memory for a client that reads nothing is bounded`() {
    becomeBusy()
    let before = client.service.peer.waitingBytes
    for number in 1...20_000 {
      puppet.number.onNext(number)
      puppet.items.onNext(ItemList([number]))
      puppet.last.onNext(number.isMultiple(of: 2))
      client.step()
    }
    #expect(client.service.peer.waitingBytes == before)
    #expect(catchUp().count <= 3)
  }
}
