import Flow
import Nagare
import Testing

@testable import NagareCommand

@Suite struct ScreenConfigurationTests {
  /// The errors for a wrong configuration, one in each line, without the path.
  private func faults(_ text: String) -> [String] {
    do throws(ConfigurationError) {
      _ = try ConfigurationFile(Array(text.utf8), path: "c.json")
      return []
    } catch {
      return "\(error)".split(separator: "\n").map { String($0.dropFirst(7)) }
    }
  }

  /// The errors for a screen with these tasks.
  private func faults(ofTasks tasks: String) -> [String] {
    faults(#"{"screens": {"s": {"viewModel": "task", "tasks": [\#(tasks)]}}}"#).map { fault in
      String(fault.drop { $0 != "'" }).replacing("screens.s.", with: "")
    }
  }

  private let good = #"""
    {
      "sources": {"some": {"type": "demo", "data": "offers"}},
      "stores": {"search": {"query": "ramen", "area": null}, "view": {"floor": 1, "on": true, "at": {}, "of": []}},
      "screens": {
        "genres": {"viewModel": "choice", "choices": ["ramen", {"id": "curry"}], "action": "select", "store": "search.query"},
        "areas": {"viewModel": "choice", "choices": ["n"], "store": "search.area"},
        "floors": {"viewModel": "choice", "choices": [{"id": 1}], "store": "view.floor"},
        "offers": {"viewModel": "feed", "source": "some", "pageSize": 5},
        "profile": {"viewModel": "task", "tasks": [
          {"input": "a", "output": "b", "task": {"kind": "alert", "title": "A"}, "initial": [1.50], "completed": null},
          {"input": "c", "output": "d", "task": {"kind": "scan", "any": {"thing": 1}}},
          {"input": "e", "output": "f", "task": {"kind": "choose", "title": "E", "choices": ["x", {"id": 2}]}},
          {"input": "g_1", "output": "名前", "task": {"kind": "prompt", "title": "G", "message": "m", "text": "t"}},
          {"input": "i", "output": "a", "task": {"kind": "login"}, "completed": 7}
        ]}
      }
    }
    """#

  @Test func `stores and screens are the same after writing and reading`() throws {
    #expect(faults(good) == [])
    let configuration = try ConfigurationFile(Array(good.utf8), path: "c.json").configuration
    #expect(
      configuration.stores.keys.map(\.path) == [
        "search.query", "search.area", "view.floor", "view.on", "view.at", "view.of",
      ])
    let again = try ConfigurationFile(Array(configuration.json.text.utf8), path: "c.json").configuration
    #expect(again.json.text == configuration.json.text)
    guard case .task(let profile)? = again.screens["profile"] else {
      Issue.record("the screen is of another kind")
      return
    }
    #expect(profile.tasks.map { $0.completed.json?.text } == ["null", nil, nil, nil, "7"])
    #expect(profile.tasks.map(\.initial.text) == ["[1.50]", "null", "null", "null", "null"])
  }

  @Test func `a key accepts null and values of its first value's kind`() {
    let values = ["null", "\"x\"", "1", "true", "{}", "[]"].compactMap { try? RawJSON($0) }
    for first in values {
      let key = StoreKey(store: "s", name: "k", first: first)
      let taken = values.filter(key.takes).map(\.text)
      #expect(taken == (first.isNull ? ["null", "\"x\""] : ["null", first.text]))
    }
  }

  @Test func `each key handles the action of its path and those of its choice screens`() throws {
    let configuration = try ConfigurationFile(Array(good.utf8), path: "c.json").configuration
    let dispatcher = Dispatcher()
    let stores = ConfiguredStores(configuration, on: dispatcher)
    #expect(
      dispatcher.types == ["search.query", "select", "search.area", "view.floor", "view.on", "view.at", "view.of"])
    var queries: [String] = []
    let subscription = try #require(stores.texts(of: "search.query")).subscribe(onNext: { queries.append($0.string) })
    try dispatcher.dispatch(AnyAction(type: "select", value: "curry".json))
    try dispatcher.dispatch(AnyAction(type: "search.query", value: RawJSON(#""\u0063urry""#)))
    try dispatcher.dispatch(AnyAction(type: "search.query"))
    #expect(throws: RPCError.self) { try dispatcher.dispatch(AnyAction(type: "select", value: 7.json)) }
    #expect(queries == ["ramen", "curry", ""])
    subscription.dispose()
  }

  @Test func `the keys of a store must be usable in a path`() {
    let text = #"{"stores": {"a.b": {"c": 1}, "s": {"": 1, "k": "x", "k": 1}, "t": 7}, "screens": {}}"#
    #expect(
      faults(text) == [
        "1:20: 'stores.a.b' must be a name without a dot, because screens refer to a key as \"STORE.KEY\"",
        "1:40: 'stores.s.' must be a name without a dot, because screens refer to a key as \"STORE.KEY\"",
        "1:58: 'stores.s.k' must be given once",
        "1:67: 'stores.t' must be an object",
      ])
  }

  @Test func `choices must have unique ids that their key accepts`() {
    let text = #"""
      {"stores": {"s": {"k": "x", "n": 1}},
       "screens": {"u": {"viewModel": "choice", "choices": ["x", "x", {"id": "\u0078"}], "store": "s.q"},
                   "v": {"viewModel": "choice", "choices": ["x", {"id": 2}], "store": "s.k"},
                   "w": {"viewModel": "choice", "choices": [{"id": 2}], "action": "s.k", "store": "s.n"}}}
      """#
    #expect(
      faults(text) == [
        #"2:60: 'screens.u.choices[1]' must be a choice with a unique id; "x" is used already"#,
        #"2:65: 'screens.u.choices[2]' must be a choice with a unique id; "x" is used already"#,
        #"2:93: 'screens.u.store' must be a key of a store, "s.k" or "s.n", not "s.q"; did you mean 's.k'?"#,
        #"3:55: 'screens.v.choices[0]' must be a choice whose id is a number, because "s.n" accepts nothing else"#,
        #"3:60: 'screens.v.choices[1]' must be a choice whose id is a string, because "s.k" accepts nothing else"#,
        #"4:55: 'screens.w.choices[0]' must be a choice whose id is a string, because "s.k" accepts nothing else"#,
      ])
    #expect(
      faults(#"{"screens": {"u": {"viewModel": "choice", "choices": [], "store": "s.q"}}}"#) == [
        "1:67: 'screens.u.store' must be a key of a store among 'stores'; there are none"
      ])
  }

  @Test func `a display may use only inputs and parameters that its screen has`() throws {
    let text = #"""
      {"sources": {"some": {"type": "demo"}},
       "screens": {
        "a": {"viewModel": "list", "source": "some", "filters": {"label": 1}, "display": {"actions": [{"input": "filter"}]}},
        "b": {"viewModel": "list", "source": "some", "display": {"actions": [{"input": "filter"}], "columns": [{"member": 1}]}},
        "c": {"viewModel": "list", "source": "some", "display": {"actions": [{"input": "select"}, {"input": "filter"}]}},
        "d": {"viewModel": "task", "tasks": [], "display": {"actions": [{"input": "rename", "key": "ab"}]}},
        "e": {"viewModel": "pager", "display": {"actions": [{"input": "swipe", "params": {"by": 1}}]}}}}
      """#
    #expect(
      faults(text) == [
        "4:117: 'screens.b.display.columns[0].member' must be a string",
        "5:103: 'screens.c.display.actions[1].input' must be an input of the screen, \"viewWillAppear\", \"reachBottom\","
          + " \"loadMore\", \"refresh\", \"retry\", \"change\", \"select\", \"reachTop\", \"viewport\", \"insert\" or"
          + " \"remove\", not \"filter\"",
        "6:94: 'screens.d.display.actions[0].key' must be one character, not \"ab\"",
        "7:85: 'screens.e.display.actions[0].params.by' is unknown: expected 'to' or 'id'",
      ])
    let good = #"{"screens": {"p": {"viewModel": "pager", "display": {"title": "subject", "columns": ["a"]}}}}"#
    let configuration = try ConfigurationFile(Array(good.utf8), path: "c.json").configuration
    #expect(configuration.screens["p"]?.display?.display.title == "subject")
    #expect(configuration.json.text.contains(#""display":{"title":"subject","columns":["a"]}"#))
  }

  @Test(arguments: Service.methods) func `a task's input can't have the name of a session method`(method: String) {
    let faults = faults(ofTasks: #"{"input": "\#(method)", "output": "o", "task": {"kind": "x"}}"#)
    #expect(faults.count == 1 && faults[0].hasPrefix("'tasks[0].input' must be a name"))
  }

  @Test func `the methods of the session are those in the discovery document`() throws {
    let service = Service(clock: VirtualScheduler())
    service.peer.receive(Array("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"rpc.discover\"}\n".utf8).span)
    while service.peer.handleNext() {}
    var bytes: [UInt8] = []
    while service.peer.backlog.readyBytes > 0 {
      service.peer.write { span in
        for index in 0..<span.count { bytes.append(span[index]) }
        return span.count
      }
    }
    let methods = try RawJSON(String(decoding: bytes, as: UTF8.self)).member("result")?.member("methods")
    #expect(methods?.elements.compactMap { $0.member("name")?.string } == Service.methods)
  }

  @Test(arguments: ["1st", "", "a b", "a.b", "$", "a/b", "-"])
  func `names of inputs and outputs must be valid property names`(name: String) {
    let task = #""task": {"kind": "x"}"#
    for (member, other) in [("input", "output"), ("output", "input")] {
      #expect(
        faults(ofTasks: #"{"\#(member)": "\#(name)", "\#(other)": "fine", \#(task)}"#) == [
          "'tasks[0].\(member)' must be a name of letters, digits and _, that doesn't begin with a digit"
        ])
    }
  }

  @Test func `each task must have its own input and output`() {
    let text = #"""
      {"input": "a", "output": "a", "task": {"kind": "x"}}, {"input": "a", "output": "a", "task": {"kind": "x"}},
      {"input": "error", "output": "error", "task": {"kind": "x"}}, {"input": "b", "output": "closed", "task": {"kind": "x"}}
      """#
    #expect(
      faults(ofTasks: text) == [
        #"'tasks[1].input' must be a name that neither the session nor another task has, not "a""#,
        #"'tasks[1].output' must be a name that no other output has, not "a""#,
        #"'tasks[2].output' must be a name that no other output has, not "error""#,
        #"'tasks[3].output' must be a name that no other output has, not "closed""#,
      ])
  }

  @Test(arguments: [
    (#"{"kind": "alert"}"#, "'tasks[0].task.title' is missing: expected a string"),
    (#"{"kind": "pickImage", "title": "x"}"#, "'tasks[0].task.title' is unknown: expected 'kind'"),
    (#"{"kind": "login", "title": 7}"#, "'tasks[0].task.title' must be a string"),
    (#"{"kind": "choose", "title": "x"}"#, "'tasks[0].task.choices' is missing: expected an array"),
    (
      #"{"kind": "choose", "title": "x", "choices": ["a", {"id": "a"}]}"#,
      #"'tasks[0].task.choices[1]' must be a choice with a unique id; "a" is used already"#
    ),
    (#"{}"#, #"'tasks[0].task' must be an object with its "kind", such as "confirm""#),
    (#"7"#, #"'tasks[0].task' must be an object with its "kind", such as "confirm""#),
    (#"{"kind": ""}"#, #"'tasks[0].task' must be an object with its "kind", such as "confirm""#),
  ])
  func `a built-in kind of task accepts only its own fields`(task: String, fault: String) {
    #expect(faults(ofTasks: #"{"input": "a", "output": "b", "task": \#(task)}"#) == [fault])
  }
}

extension String {
  fileprivate func replacing(_ part: String, with other: String) -> String {
    split(separator: part, omittingEmptySubsequences: false).joined(separator: other)
  }
}
