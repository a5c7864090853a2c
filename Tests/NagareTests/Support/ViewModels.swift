import Flow
import Nagare

/// The smallest view model there is.
struct Counter: ViewModel {
  struct Input: Ports {
    let increment = Trigger()
    let add = Port<Int>("amount")
    let reset = Port<Reset>()
  }
  struct Output {
    let count: Observable<Int>
    let even: Observable<Bool>
    let passed: Observable<Int>
  }
  var start = 0

  func transform(_ input: Input, on clock: any Scheduler) -> Output {
    let count = merge(
      input.increment.stream.map { _ in { $0 + 1 } },
      input.add.stream.map { amount in { $0 + amount } },
      input.reset.stream.map { reset in { _ in reset.to ?? 0 } }
    )
    .scan(start) { (count: Int, change: (Int) -> Int) in change(count) }
    .startWith(start)
    .share(replay: 1)
    return Output(
      count: count, even: count.map { $0.isMultiple(of: 2) },
      passed: count.skip(1).filter { $0.isMultiple(of: 10) })
  }
}

struct Reset: Record {
  let to: Int?
  let by: String?

  static let fields = Fields(Reset.init, Field("to", \.to), Field("by", \.by))
}

/// A view model that says just what it is told to, and whose input `poke` runs what a test wants.
struct Puppet: ViewModel {
  struct Input: Ports {
    let poke = Trigger()
  }
  struct Output {
    let number: Observable<Int>
    let event: Observable<String>
    let fault: Observable<String?>
    let items: Observable<ItemList>
    let navigate: Observable<Navigation>
    let last: Observable<Bool>
  }
  let number = BehaviorSubject(0)
  let event = PublishSubject<String>()
  let fault = BehaviorSubject<String?>(nil)
  let items = BehaviorSubject(ItemList())
  let navigate = PublishSubject<Navigation>()
  let last = BehaviorSubject(false)
  var onPoke: () -> Void = {}

  func transform(_ input: Input, on clock: any Scheduler) -> Output {
    Output(
      number: merge(number.asObservable(), input.poke.stream.do(onNext: { onPoke() }).flatMap { _ in .empty() }),
      event: event.asObservable(), fault: fault.asObservable(), items: items.asObservable(),
      navigate: navigate.asObservable(), last: last.asObservable())
  }
}

/// A view model that opens another view by its input, or as soon as it is opened itself.
struct Door: ViewModel {
  struct Input: Ports {
    let enter = Trigger()
  }
  struct Output {
    let navigate: Observable<Navigation>
    let entered: Observable<Int>
  }
  var isOpen = false
  var behind: any ViewModel = Counter()

  func transform(_ input: Input, on clock: any Scheduler) -> Output {
    let enter = isOpen ? input.enter.stream.startWith(()) : input.enter.stream
    return Output(
      navigate: enter.map { Navigation(to: "behind", behind) },
      entered: input.enter.stream.scan(0) { count, _ in count + 1 }.startWith(0).share(replay: 1))
  }
}

extension Screen {
  static var counter: Screen { Screen("counter", viewModel: "counter") { Counter() } }

  static func puppet(_ puppet: Puppet) -> Screen { Screen("puppet", viewModel: "puppet") { puppet } }

  static func door(_ door: Door = Door()) -> Screen { Screen("door", viewModel: "door") { door } }
}
