import Flow
import Nagare
import Testing

@testable import Nagare

/// A view model with the outputs of a test.
private struct WithOutputs<Output: Outputs>: ViewModel {
  struct Input: Ports {}
  let output: Output

  func transform(_ input: Input, on clock: any Scheduler) -> Output { output }
}

/// A view model with the inputs of a test.
private struct Inputs<Input: Ports>: ViewModel {
  struct Output: Outputs {}

  func transform(_ input: Input, on clock: any Scheduler) -> Output { Output() }
}

@Suite struct DeclarationErrorTests {
  private struct Letter {}

  private func problem(_ model: some ViewModel) -> String? {
    do throws(DeclarationError) {
      _ = try ViewModelBinding.checking(model, on: VirtualScheduler())
      return nil
    } catch {
      return error.description
    }
  }

  @Test func `a plain value among inputs or outputs is reported with the remedy`() {
    struct Input: Ports { let page = 1 }
    struct Inner: Outputs { let counts = [1] }
    struct Output: Outputs { let inner = Inner() }
    let remedy =
      "an input must be a Port, a Trigger, a Presenter, or the inputs of another view model; an output must be a"
      + " Driver, a Signal whose values can be sent, or a structure of outputs"
    #expect(problem(Inputs<Input>()) == "Inputs<Input>.Input.page is an Int; \(remedy)")
    #expect(
      problem(WithOutputs(output: Output())) == "WithOutputs<Output>.Output.inner.counts is an Array<Int>; \(remedy)")
  }

  @Test func `a signal whose values can't be sent is reported with the remedy`() {
    struct Output: Outputs {
      let saved: Signal<Void> = .never()
      let number: Signal<Int?> = .never()
      let letter: Signal<Letter> = .never()
    }
    struct Listing: Outputs { let items: Signal<ItemList> = .never() }
    let remedy =
      "whose values can't be sent; use Encodable values, such as numbers, strings and arrays, or Navigation; for a"
      + " list, use a Driver"
    #expect(
      problem(WithOutputs(output: Output())) == "WithOutputs<Output>.Output.letter is a Signal<Letter>, \(remedy)")
    #expect(
      problem(WithOutputs(output: Listing())) == "WithOutputs<Listing>.Output.items is a Signal<ItemList>, \(remedy)")
  }

  @Test func `all mistakes of a view model are reported together`() {
    struct Wrong: ViewModel {
      struct Input: Ports {
        let open = Port<Int>("wait")
        let page = 1
        let save: Trigger? = nil
      }
      struct Output: Outputs {
        let order: Driver<Int?>
        let loading: Driver<Bool>
        let closed: Signal<Letter> = .never()
        let counts = [1, 2]
      }
      struct State {
        var order = Load<Int>()
        var jobs = Jobs<Int, Int>(.queued)
      }
      func transform(_ input: Input, on clock: any Scheduler) -> Output {
        let state = Feedback(State(), on: clock)
        return Output(order: state.order.value, loading: state.isLoading)
      }
    }
    let lines = problem(Wrong())?.split(separator: "\n").map { $0.prefix { $0 != ";" && $0 != "," && $0 != ":" } }
    #expect(
      lines == [
        "Wrong.Input.open has the name of one of the session's own methods",
        "Wrong.Input.open has a parameter called 'wait'",
        "Wrong.Input.page is an Int", "Wrong.Input.save is nil",
        "Wrong.Output.order comes from a state in which State.order has no rule",
        "Wrong.Output.order comes from a state in which State.jobs has no rule",
        "Wrong.Output.closed has a reserved name",
        "Wrong.Output.closed is a Signal<Letter>", "Wrong.Output.counts is an Array<Int>",
      ])
  }

  @Test func `a port of another view model's state can't be an input`() {
    struct State {}
    struct Input: Ports { let way = Feedback(State(), on: VirtualScheduler()).port(Int.self) { _, _ in } }
    #expect(problem(Inputs<Input>())?.contains(".Input.way is a port of another view model's state") == true)
  }

  @Test func `an input that lacks a parameter name is reported`() {
    enum Sort: String, Codable { case date, name }
    struct Filter: Codable { let text: String }
    struct Input: Ports { let sort = Port<Sort>() }
    struct Optionals: Ports {
      let filter = Port<Filter?>()
      let other = Port<[Filter]>()
    }
    #expect(
      problem(Inputs<Input>()) == """
        Inputs<Input>.Input.sort is a Port<Sort> whose value has no fields that could be its parameters; name its one \
        parameter, as in Port<Int>("seconds")
        """)
    #expect(problem(Inputs<Optionals>())?.contains(".Input.other is a Port<Array<Filter>> whose value has no") == true)
  }

  @Test func `an input or output can't have the name of a session method or notification`() {
    struct Input: Ports { let open = Port<String>("id") }
    struct Output: Outputs { let closed: Driver<Int> = .just(1) }
    #expect(problem(Inputs<Input>())?.contains(".Input.open has the name of one of the session's own methods") == true)
    #expect(problem(WithOutputs(output: Output()))?.contains(".Output.closed has a reserved name") == true)
  }

  @Test func `a parameter can't have the name of a parameter that every input has`() {
    struct Place: Codable { let wait, room: Int }
    struct Waiting: Ports { let pause = Port<Int>("wait") }
    struct Viewing: Ports { let show = Port<String?>("view") }
    struct Seating: Ports { let seat = Port<Place>() }
    let remedy = "which every input has already; rename it"
    #expect(problem(Inputs<Waiting>()) == "Inputs<Waiting>.Input.pause has a parameter called 'wait', \(remedy)")
    #expect(problem(Inputs<Viewing>()) == "Inputs<Viewing>.Input.show has a parameter called 'view', \(remedy)")
    #expect(problem(Inputs<Seating>()) == "Inputs<Seating>.Input.seat has a parameter called 'wait', \(remedy)")
  }

  @Test func `a repeated name is reported, also if another view model's part has it`() {
    struct Input: Ports {
      let counter = Counter.Input()
      let reset = Trigger()
    }
    struct Inner: Outputs { let count: Driver<Int> = .just(1) }
    struct Output: Outputs {
      let count: Signal<Int> = .never()
      let inner = Inner()
    }
    #expect(problem(Inputs<Input>())?.contains(".Input.reset has the same name as another input") == true)
    #expect(
      problem(WithOutputs(output: Output()))?.contains(".Output.inner.count has the same name as another output")
        == true)
  }

  @Test func `a state's effect without a rule is reported with the remedy`() {
    struct State { var order = Load<Int>() }
    struct Output: Outputs { let loading: Driver<Bool> }
    let state = Feedback(State(), on: VirtualScheduler())
    let both = combine(state.isLoading, Driver.just(true)) { $0 && $1 }
    for loading in [state.isLoading, both] {
      #expect(
        problem(WithOutputs(output: Output(loading: loading))) == """
          WithOutputs<Output>.Output.loading comes from a state in which State.order has no rule: add react(to: \\.order)
          """)
    }
    state.react(to: \.order) { _ in .never() }
    #expect(problem(WithOutputs(output: Output(loading: both))) == nil)
  }

  @Test func `a port in two properties is reported`() {
    struct Input: Ports {
      let save: Trigger
      let submit: Trigger
      init() {
        save = Trigger()
        submit = save
      }
    }
    #expect(problem(Inputs<Input>())?.contains(".Input.submit is the same port as the input \"save\";") == true)
  }

  @Test func `an input or output that is nil is reported`() {
    struct Input: Ports { let save: Trigger? = nil }
    struct Output: Outputs { let count: Driver<Int>? = nil }
    #expect(problem(Inputs<Input>())?.contains(".Input.save is nil; every view has all its") == true)
    #expect(problem(WithOutputs(output: Output()))?.contains(".Output.count is nil; every view has all its") == true)
    struct There: Ports { let save: Trigger? = Trigger() }
    #expect(problem(Inputs<There>()) == nil)
  }

  @Test func `a field that is declared twice is reported at any depth`() {
    struct Twice: Record, Equatable {
      let a: Int
      let b: Int
      static let fields = Fields(Twice.init, Field("a", \.a), Field("a", \.b))
    }
    struct Holder: Codable, Equatable { let inner: [Twice] }
    struct Input: Ports { let put = Port<Holder>() }
    struct Output: Outputs { let held: Driver<Twice?> = .just(nil) }
    let remedy = "has values that declare the field \"a\" twice; rename one of them"
    #expect(problem(Inputs<Input>())?.hasSuffix(".Input.put \(remedy)") == true)
    #expect(problem(WithOutputs(output: Output()))?.hasSuffix(".Output.held \(remedy)") == true)
  }

  @Test func `a declaration error in a navigation ends neither the view nor the program`() {
    /// Opens a view model that no screen describes.
    struct Door: ViewModel {
      struct Input: Ports { let enter = Trigger() }
      struct Output: Outputs { let navigate: Signal<Navigation> }
      struct Room: ViewModel {
        struct Input: Ports {}
        struct Output: Outputs { let letters: Signal<Letter> = .never() }
        func transform(_ input: Input, on clock: any Scheduler) -> Output { Output() }
      }
      func transform(_ input: Input, on clock: any Scheduler) -> Output {
        Output(navigate: input.enter.open("room") { Room() })
      }
    }
    let client = Client(Screen { Door() })
    var errors: [String] = []
    client.service.onModelError = { errors.append($0) }
    client.call("open", #"{"screen":"door"}"#)
    #expect(client.call("enter")[0].contains("the view model can't be opened: Room.Output.letters is a Signal<Letter>"))
    #expect(client.call("ping").count == 1)
    #expect(errors.count == 1 && errors[0].contains("the screen \"room\" can't be opened: "))
  }

  @Test func `all methods of the session are described`() {
    let described = Discovery(Service(clock: VirtualScheduler())).sessionMethods.map(\.name)
    #expect(described == Service.methods)
  }

  @Test func `correct declarations are accepted`() {
    struct Input: Ports {
      let counter = Counter.Input()
      let present = Presenter()
    }
    struct Inner: Outputs { let count: Driver<Int?> = .just(nil) }
    struct Output: Outputs {
      let inner = Inner()
      let items: Driver<ItemList> = .just(ItemList())
    }
    #expect(problem(Inputs<Input>()) == nil)
    #expect(problem(WithOutputs(output: Output())) == nil)
  }
}
