import Flow
import Nagare
import Testing

@Suite struct ServiceTests {
  @Test func `inputs and outputs of a view model have the names and the order of its properties`() {
    let client = Client(.counter)
    #expect(
      client.call("screens") == [
        #"{"id":1,"result":{"screens":[{"screen":"counter","viewModel":"counter","#
          + #""inputs":["increment","add","reset"],"outputs":["count","even","passed"]}]}}"#
      ])
    #expect(
      client.call("open", #"{"screen":"counter"}"#) == [
        #"{"id":2,"result":{"view":"v1","screen":"counter","viewModel":"counter","#
          + #""outputs":{"count":{"value":0},"even":{"value":true}}}}"#
      ])
    #expect(
      client.call("increment") == [
        #"{"method":"count","params":{"view":"v1","value":1}}"#,
        #"{"method":"even","params":{"view":"v1","value":false}}"#,
        #"{"id":3,"result":{}}"#,
      ])
    #expect(
      client.notify("add", #"{"view":"v1","amount":9}"#) == [
        #"{"method":"count","params":{"view":"v1","value":10}}"#,
        #"{"method":"even","params":{"view":"v1","value":true}}"#,
        #"{"method":"passed","params":{"view":"v1","value":10}}"#,
      ])
  }

  @Test func `an error names the wrong parameter, and nothing changes`() {
    let client = Client(.counter)
    client.call("open", #"{"screen":"counter"}"#)
    let wrong: [(method: String, params: String, data: String)] = [
      ("add", "{}", #"{"param":"amount","expected":"an integer"}"#),
      ("add", #"{"amount":"7"}"#, #"{"param":"amount","expected":"an integer"}"#),
      ("add", #"{"amount":1.5}"#, #"{"param":"amount","expected":"an integer"}"#),
      ("reset", #"{"to":"x"}"#, #"{"param":"to","expected":"an integer"}"#),
      ("reset", #"{"to":1,"by":[]}"#, #"{"param":"by","expected":"a string"}"#),
      ("increment", #"{"view":1}"#, #"{"param":"view","expected":"a string"}"#),
    ]
    for (number, (method, params, data)) in wrong.enumerated() {
      let answer = client.call(method, params)
      #expect(answer.count == 1 && answer[0].hasPrefix(#"{"id":\#(number + 2),"error":{"code":-32602,"#), "\(answer)")
      #expect(answer[0].hasSuffix(#""data":\#(data)}}"#), "\(answer)")
    }
    #expect(client.call("outputs").last?.contains(#""count":{"value":0}"#) == true)
    #expect(client.call("reset", #"{"to":3,"unknown":true}"#).first?.contains(#""value":3"#) == true)
  }

  @Test func `a step sends an output once, and only if it has changed`() {
    let puppet = Puppet(onPoke: {})
    let client = Client(.puppet(puppet))
    client.call("open", #"{"screen":"puppet"}"#)
    for number in 1...5 { puppet.number.onNext(number) }
    puppet.last.onNext(true)
    puppet.last.onNext(false)
    #expect(client.step() == [#"{"method":"number","params":{"view":"v1","value":5}}"#])
    puppet.number.onNext(5)
    #expect(client.step() == [])
  }

  @Test func `views send in the order in which they were opened, outputs in the order of their declaration`() {
    let puppet = Puppet()
    let client = Client(.puppet(puppet))
    client.call("open", #"{"screen":"puppet","view":"z"}"#)
    client.call("open", #"{"screen":"puppet","view":"a"}"#)
    puppet.last.onNext(true)
    puppet.event.onNext("e")
    puppet.number.onNext(1)
    #expect(
      client.step().compactMap(\.said) == [
        "z number 1", #"z event "e""#, "z last true", "a number 1", #"a event "e""#, "a last true",
      ])
  }

  @Test func `the answer comes after all output that the call caused`() {
    var puppet = Puppet()
    puppet.onPoke = { [number = puppet.number] in number.onNext(1) }
    let client = Client(.puppet(puppet))
    client.call("open", #"{"screen":"puppet"}"#)
    #expect(
      client.call("poke") == [#"{"method":"number","params":{"view":"v1","value":1}}"#, #"{"id":2,"result":{}}"#])
  }

  @Test func `messages move the virtual clock, and each moment is a step`() {
    let puppet = Puppet()
    let client = Client(.puppet(puppet))
    client.call("open", #"{"screen":"puppet"}"#)
    for number in 1...3 {
      _ = client.clock.schedule(after: .milliseconds(number * 100)) { puppet.number.onNext(number) }
    }
    #expect(
      client.call("clock/advance", #"{"milliseconds":250}"#).compactMap(\.said) == ["v1 number 1", "v1 number 2"])
    #expect(client.call("clock/advance", #"{"milliseconds":49}"#) == [#"{"id":3,"result":{"now":299}}"#])
    #expect(client.call("clock/advance", #"{"milliseconds":1}"#).last == #"{"id":4,"result":{"now":300}}"#)
  }

  @Test func `the virtual clock can't exceed the largest exact integer of a double`() {
    let client = Client(.counter)
    let most = 9_007_199_254_740_991
    #expect(client.call("clock/advance", #"{"milliseconds":\#(most)}"#) == [#"{"id":1,"result":{"now":\#(most)}}"#])
    for _ in 0..<3 {
      #expect(client.call("clock/advance", #"{"milliseconds":\#(most)}"#)[0].contains(#""param":"milliseconds""#))
    }
    #expect(client.call("clock/advance", #"{"milliseconds":-1}"#)[0].contains("-32602"))
    #expect(client.call("clock/advance", #"{"milliseconds":0.5}"#)[0].contains("-32602"))
    #expect(client.call("clock/advance", #"{"milliseconds":0}"#)[0].contains(#""now":\#(most)"#))
  }

  @Test func `after shutdown only exit is accepted`() {
    let client = Client(.counter)
    var ends: [Bool] = []
    client.service.onExit = { ends.append($0) }
    client.notify("exit")
    #expect(client.call("shutdown") == [#"{"id":1,"result":{}}"#])
    #expect(client.call("ping")[0].contains("-32600"))
    #expect(client.notify("open", #"{"screen":"counter"}"#) == [])
    client.notify("exit")
    #expect(ends == [false, true])
  }

  @Test func `initialize is accepted once and sets the client's capabilities`() {
    let client = Client(.counter)
    var processes: [Int] = []
    client.service.onParentProcess = { processes.append($0) }
    let params = #"{"protocolVersion":"1","processId":7,"capabilities":{"deltas":true,"sources":["mine"]}}"#
    let answer = client.call("initialize", params)
    let limits = #"{"messageSize":16777216,"depth":512,"batch":100000,"batchAnswer":16777216,"views":10000}"#
    #expect(answer[0].hasSuffix(#""capabilities":{"deltas":true,"virtualClock":true},"limits":\#(limits)}}"#))
    #expect(client.service.client.takesDeltas && client.service.client.sources == ["mine"] && processes == [7])
    #expect(client.call("initialize", params)[0].contains("-32600"))
  }

  @Test func `the errors for an unknown method and for a missing input differ`() {
    let client = Client(.counter, .door())
    #expect(client.call("nonsense")[0].hasSuffix(#""message":"no method \"nonsense\""}}"#))
    client.call("open", #"{"screen":"counter"}"#)
    #expect(
      client.call("nonsense")[0].hasSuffix(#""data":{"view":"v1","inputs":["increment","add","reset"]}}}"#))
    client.call("open", #"{"screen":"counter"}"#)
    #expect(client.call("increment")[0].contains(#""data":{"param":"view""#))
    #expect(client.call("enter", #"{"view":"v2"}"#)[0].contains("-32601"))
    #expect(client.call("increment", #"{"view":"v3"}"#)[0].hasSuffix(#""data":{"views":["v1","v2"]}}}"#))
  }
}

extension String {
  /// A short form of a notification of an output: its view, name and value.
  var said: String? {
    guard let message = raw, let method = message.member("method")?.string, let params = message.member("params"),
      let view = params.member("view")?.string, let value = params.member("value")
    else { return nil }
    return "\(view) \(method) \(value.text)"
  }
}
