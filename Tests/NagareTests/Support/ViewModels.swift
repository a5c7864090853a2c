import Flow
import Nagare

/// A minimal view model.
struct Counter: ViewModel {
  struct Input: Ports {
    let increment = Trigger()
    let add = Port<Int>("amount")
    let reset = Port<Reset>()
  }
  struct Output: Outputs {
    let count: Driver<Int>
    let even: Driver<Bool>
    let passed: Signal<Int>
  }
  struct State { var count: Int }
  var start = 0

  func transform(_ input: Input, on clock: any Scheduler) -> Output {
    let state = Feedback(State(count: start), on: clock)
    let counts = merge(
      state.on(input.increment) { state in
        state.count += 1
        return state.count
      },
      state.on(input.add) { state, amount in
        state.count += amount
        return state.count
      },
      state.on(input.reset) { state, reset in
        state.count = reset.to ?? 0
        return state.count
      })
    return Output(
      count: state.count, even: state.count.map { $0.isMultiple(of: 2) },
      passed: counts.compactMap { $0.isMultiple(of: 10) ? $0 : nil })
  }
}

struct Reset: Record {
  let to: Int?
  let by: String?

  static let fields = Fields(Reset.init, Field("to", \.to), Field("by", \.by))
}

/// A view model that sends the values of a test. Its input `poke` runs code of the test.
struct Puppet: ViewModel {
  struct Input: Ports {
    let poke = Trigger()
  }
  struct Output: Outputs {
    let number: Driver<Int>
    let event: Signal<String>
    let fault: Driver<String?>
    let items: Driver<ItemList>
    let navigate: Signal<Navigation>
    let last: Driver<Bool>
  }
  let number = BehaviorSubject(0)
  let event = PublishSubject<String>()
  let fault = BehaviorSubject<String?>(nil)
  let items = BehaviorSubject(ItemList())
  let navigate = PublishSubject<Navigation>()
  let last = BehaviorSubject(false)
  var onPoke: () -> Void = {}

  func transform(_ input: Input, on clock: any Scheduler) -> Output {
    Feedback((), on: clock).on(input.poke) { _ in onPoke() }
    return Output(
      number: number.asDriver(), event: event.asSignal { _ in nil }, fault: fault.asDriver(), items: items.asDriver(),
      navigate: navigate.asSignal { _ in nil }, last: last.asDriver())
  }
}

/// A view model that opens another view by its input, or while it is being opened itself.
struct Door: ViewModel {
  struct Input: Ports {
    let enter = Trigger()
  }
  struct Output: Outputs {
    let navigate: Signal<Navigation>
    let entered: Driver<Int>
  }
  struct State {
    var entered = 0
    var entering = Pulse<Void>()
  }
  var isOpen = false
  var behind: any ViewModel = Counter()

  func transform(_ input: Input, on clock: any Scheduler) -> Output {
    var first = State()
    if isOpen { first.entering.fire() }
    let state = Feedback(first, on: clock)
    state.on(input.enter) { state in
      state.entered += 1
      state.entering.fire()
    }
    return Output(navigate: state.entering.map { Navigation(to: "behind", behind) }, entered: state.entered)
  }
}

extension Screen {
  static var counter: Screen { Screen("counter", viewModel: "counter") { Counter() } }

  static func puppet(_ puppet: Puppet) -> Screen { Screen("puppet", viewModel: "puppet") { puppet } }

  static func door(_ door: Door = Door()) -> Screen { Screen("door", viewModel: "door") { door } }
}
