import Flow
import FlowTesting
import Nagare
import Testing

@testable import Nagare

/// An author's types that only conform to `Codable`, everywhere in a view model.
@Suite struct CodableTests {
  enum Sort: String, Codable, CaseIterable { case date, name }
  enum Level: Int, Codable { case low = 1, high = 9 }

  enum Shape: Codable, Equatable {
    case circle(radius: Double)
    case empty
  }

  struct Filter: Codable, Equatable {
    let text: String
    let sort: Sort?
  }

  struct Point: Codable, Equatable, Identifiable {
    let id: Int
    let x: Double
  }

  /// Sends all values that it receives.
  private struct Map: ViewModel {
    struct Input: Ports {
      let sort = Port<Sort>("by")
      let filter = Port<Filter>()
      let draw = Port<Shape>("shape")
      let level = Port<Level?>("level")
      let place = Port<[Point]>("points")
    }
    struct Output: Outputs {
      let sorted: Driver<Sort>
      let filter: Driver<Filter?>
      let drawn: Driver<[Shape]>
      let level: Driver<Level?>
      let points: Driver<Items<Point>>
      let last: Signal<Point>
    }
    struct State {
      var sort: Sort
      var filter: Filter?
      var drawn: [Shape] = []
      var level: Level?
      var points = Items<Point>()
    }
    var sort = Sort.date

    func transform(_ input: Input, on clock: any Scheduler) -> Output {
      let state = Feedback(State(sort: sort), on: clock)
      state.on(input.sort) { $0.sort = $1 }
      state.on(input.filter) { $0.filter = $1 }
      state.on(input.draw) { $0.drawn.append($1) }
      state.on(input.level) { $0.level = $1 }
      let last = state.on(input.place) { state, new in
        _ = try? state.points.append(new)
        return new.last
      }
      return Output(
        sorted: state.sort, filter: state.filter, drawn: state.drawn, level: state.level, points: state.points,
        last: last.compactMap { $0 })
    }
  }

  private let client = Client(Screen { Map() })

  @Test func `inputs read the compiler's enumerations and structures, and outputs write them`() {
    let opened = client.call("open", #"{"screen":"map"}"#)[0]
    #expect(
      opened.contains(
        #""outputs":{"sorted":{"value":"date"},"filter":{"value":null},"drawn":{"value":[]},"level":{"value":null},"#
          + #""points":{"value":[],"revision":0}}"#), "\(opened)")
    #expect(client.call("sort", #"{"by":"name"}"#)[0] == #"{"method":"sorted","params":{"view":"v1","value":"name"}}"#)
    #expect(
      client.call("filter", #"{"view":"v1","text":"a","sort":"name"}"#)[0]
        == #"{"method":"filter","params":{"view":"v1","value":{"text":"a","sort":"name"}}}"#)
    #expect(
      client.call("draw", #"{"shape":{"circle":{"radius":2}}}"#)[0]
        == #"{"method":"drawn","params":{"view":"v1","value":[{"circle":{"radius":2.0}}]}}"#)
    #expect(client.call("level", #"{"level":9}"#)[0] == #"{"method":"level","params":{"view":"v1","value":9}}"#)
    #expect(
      client.call("place", #"{"points":[{"id":1,"x":0.5}]}"#).dropLast() == [
        #"{"method":"points","params":{"view":"v1","value":[{"id":1,"x":0.5}],"revision":1}}"#,
        #"{"method":"last","params":{"view":"v1","value":{"id":1,"x":0.5}}}"#,
      ])
  }

  @Test(arguments: [
    ("sort", #"{"by":"age"}"#, #"'by' must be \"date\" or \"name\""#),
    ("sort", "{}", #"'by' is missing: expected \"date\" or \"name\""#),
    ("filter", #"{"sort":"age","text":"a"}"#, #"'sort' must be \"date\" or \"name\""#),
    ("filter", "{}", "'text' is missing: expected a string"),
    ("draw", #"{"shape":{"circle":{"radius":"x"}}}"#, "'shape.circle.radius' must be a number"),
    ("draw", #"{"shape":{"oval":{}}}"#, "'shape' must be an object with one field, the name of a case"),
    ("level", #"{"level":2}"#, "'level' must be one of the values of Level"),
    ("place", #"{"points":[{"id":1,"x":1},{"id":2}]}"#, "'points[1].x' is missing: expected a number"),
  ])
  func `an invalid value is refused by its parameter's name`(_ input: String, _ params: String, _ message: String) {
    client.call("open", #"{"screen":"map"}"#)
    let answer = client.call(input, params)[0]
    #expect(answer.contains(#""code":-32602,"message":"\#(message)""#), "\(answer)")
  }

  @Test func `an optional parameter may be left out`() {
    client.call("open", #"{"screen":"map"}"#)
    client.call("level", #"{"level":1}"#)
    for params in ["{}", #"{"level":null}"#] { #expect(client.call("level", params).last?.contains("result") == true) }
    #expect(client.call("outputs", #"{"view":"v1"}"#)[0].contains(#""level":{"value":null}"#))
  }

  @Test func `the discovery document has the schemas of Codable types`() {
    let document = client.call("rpc.discover")[0]
    for part in [
      #"{"name":"sort","params":{"type":"object","properties":{"by":{"type":"string","enum":["date","name"]}},"required":["by"]}}"#,
      #"{"name":"filter","params":{"type":"object","properties":{"text":{"type":"string"},"sort":{"type":"string","enum":["date","name"]}},"required":["text"]}}"#,
      #"{"name":"level","params":{"type":"object","properties":{"level":{"type":["integer","null"]}}}}"#,
      #"{"name":"points","kind":"list","value":{"type":"array","items":{"type":"object","properties":{"id":{"type":"integer"},"x":{"type":"number"}},"required":["id","x"]}}}"#,
    ] {
      #expect(document.contains(part), "\(part)\n\(document)")
    }
  }

  @Test func `a screen can have Codable parameters`() {
    let client = Client(
      Screen("sorted", parameter: "by", example: Sort.date) { Map(sort: $0) },
      Screen("maybe", parameter: "by", example: Sort?.none) { Map(sort: $0 ?? .name) },
      Screen("filtered", example: Filter(text: "", sort: nil)) { Map(sort: $0.sort ?? .date) })
    func open(_ screen: String, _ params: String) -> String {
      client.call("open", #"{"screen":"\#(screen)","params":\#(params)}"#)[0]
    }
    #expect(open("sorted", #"{"by":"name"}"#).contains(#""sorted":{"value":"name"}"#))
    #expect(open("maybe", "{}").contains(#""sorted":{"value":"name"}"#))
    #expect(open("filtered", #"{"text":"a","sort":"name"}"#).contains(#""sorted":{"value":"name"}"#))
    #expect(open("sorted", "{}").contains(#"'params.by' is missing: expected \"date\" or \"name\""#))
    #expect(open("sorted", #"{"by":"age"}"#).contains(#"'params.by' must be \"date\" or \"name\""#))
    #expect(open("sorted", #"{"by":"name","of":1}"#).contains("'params.of' is unknown: expected 'by'"))
    #expect(
      open("filtered", #"{"text":"a","sorts":"name"}"#).contains(
        "'params.sorts' is unknown: expected 'text' or 'sort'; did you mean 'sort'?")
    )
    #expect(open("filtered", "[]").contains("'params' must be an object"))
  }

  @Test func `stores and actions can have Codable values`() throws {
    let dispatcher = Dispatcher()
    let store = Store(Filter(text: "", sort: nil), on: dispatcher)
      .taking(Action<Filter>("look")) { $0 = $1 }
      .taking(Action<Sort>("sort")) { $0 = Filter(text: $0.text, sort: $1) }
    var states: [Filter] = []
    let subscription = store.state.subscribe(onNext: { states.append($0) })
    try dispatcher.dispatch(Action("look"), Filter(text: "a", sort: .date))
    try dispatcher.dispatch(Action("sort"), Sort.name)
    #expect(states.dropFirst() == [Filter(text: "a", sort: .date), Filter(text: "a", sort: .name)])
    let wrong = try #require(#"{"text":1}"#.raw)
    let refusal = #expect(throws: RPCError.self) { try dispatcher.dispatch(AnyAction(type: "look", value: wrong)) }
    #expect(refusal?.message == "'action.value.text' must be a string")
    let unwritten = #expect(throws: RPCError.self) { try dispatcher.dispatch(Action("look"), Unwritten()) }
    #expect(unwritten?.message == "the value can't be written as JSON: no")
    subscription.dispose()
  }

  @Test func `tasks can have Codable details and results`() throws {
    let task = UserTask<Point>("pickPoint", ["near": Point(id: 1, x: 2), "sort": Sort.name, "none": Point?.none])
    #expect(task.json.text == #"{"kind":"pickPoint","near":{"id":1,"x":2.0},"sort":"name"}"#)
    let presenter = Presenter()
    func result<Value>(_ task: UserTask<Value>, _ answer: String?) -> (value: Value?, message: String?) {
      presenter.answer = { _ in .just(.completed(answer.flatMap(\.raw))) }
      var found: (value: Value?, message: String?)
      presenter(task).subscribe(
        onNext: { found.value = $0 }, onError: { found.message = ($0 as? LoadFailure)?.message }
      )
      .dispose()
      return found
    }
    #expect(result(task, #"{"id":3,"x":1}"#).value == Point(id: 3, x: 1))
    #expect(result(UserTask<Sort>("pickSort"), #""name""#).value == .name)
    let start = "the client's answer to the task"
    #expect(result(task, nil).message == "\(start) \"pickPoint\" must have an object as its value, not nothing")
    #expect(result(task, #"{"id":"x"}"#).message == "\(start) \"pickPoint\" is wrong: 'value.id' must be an integer")
    #expect(
      result(UserTask<Sort>("pickSort"), #""age""#).message
        == "\(start) \"pickSort\" must have \"date\" or \"name\" as its value, not \"age\"")
    #expect(
      result(UserTask<Point>("pickPoint", ["near": Unwritten()]), nil).message
        == "the task \"pickPoint\" can't be presented: the value can't be written as JSON: no")
  }

  /// A value that can't be encoded.
  private struct Unwritten: Codable {
    struct Refusal: Error, CustomStringConvertible { let description = "no" }
    func encode(to encoder: any Encoder) throws { throw Refusal() }
  }

  @Test func `a value that can't be encoded is reported to the author, and the output continues`() throws {
    struct Fickle: Encodable, Equatable {
      let number: Int
      func encode(to encoder: any Encoder) throws {
        if number == 2 { throw Unwritten.Refusal() }
        try number.encode(to: encoder)
      }
    }
    struct Model: ViewModel {
      struct Input: Ports { let say = Port<Int>("number") }
      struct Output: Outputs {
        let current: Driver<Fickle>
        let event: Signal<Fickle>
        let maybe: Driver<Fickle?>
      }
      func transform(_ input: Input, on clock: any Scheduler) -> Output {
        let state = Feedback(Fickle(number: 0), on: clock)
        let event = state.on(input.say) { state, number in
          state = Fickle(number: number)
          return state
        }
        let current = state.number.map(Fickle.init)
        return Output(current: current, event: event, maybe: current.map { $0.number == 0 ? nil : $0 })
      }
    }
    let client = Client(Screen { Model() })
    var errors: [String] = []
    client.service.onModelError = { errors.append($0) }
    client.call("open", #"{"screen":"model"}"#)
    let said = (1...3).map { client.call("say", #"{"number":\#($0)}"#).count }
    #expect(said == [4, 1, 4])
    let reason = "can't send a value: the value can't be written as JSON: no"
    #expect(
      errors.sorted() == ["current", "event", "maybe"].map { "model (view \"v1\"): the output \"\($0)\" \(reason)" })
    #expect(client.call("outputs", #"{"view":"v1"}"#)[0].contains(#""current":{"value":3},"maybe":{"value":3}"#))
  }
}
