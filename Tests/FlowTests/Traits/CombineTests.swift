import Flow
import FlowTesting
import Testing

@Suite struct CombineTests {
  struct State {
    var a = 1
    var b = 2
    var c = 3
  }

  let m = Marbles()
  let set = Port<State>()
  let state: Feedback<State>

  init() {
    state = Feedback(State(), on: m.clock)
    state.on(set) { $0 = $1 }
  }

  @Test func `two drivers that change in one turn send one value`() {
    let sum = m.record(combine(state.a, state.b, +))
    set.on(.next(State(a: 2, b: 3)))
    set.on(.next(State(a: 3, b: 2)))
    set.on(.next(State(a: 3, b: 3)))
    sum.expect("(356)")
  }

  @Test func `three drivers can be combined`() {
    let product = m.record(combine(state.a, state.b, state.c) { $0 * $1 + $2 })
    set.on(.next(State(a: 0, b: 0, c: 1)))
    product.expect("(51)")
  }

  @Test func `drivers of different states are combined, and left with the last subscriber`() {
    let other = BehaviorSubject(0)
    let sum = combine(state.a, other.asDriver(), +)
    let first = m.record(sum)
    let second = m.record(sum)
    other.onNext(3)
    first.dispose()
    other.onNext(4)
    set.on(.next(State(a: 5)))
    #expect(sum.value == 9)
    second.dispose()
    #expect(!other.hasObservers)
    other.onNext(0)
    first.expect("(14)")
    second.expect("(1459)")
  }

  @Test func `a state and another one that follows it send one value`() {
    struct Follower { var double = 2 }
    let follower = Feedback(Follower(), on: m.clock)
    follower.on(state.a) { $0.double = $1 * 2 }
    let both = m.record(combine(state.a, follower.double, +))
    set.on(.next(State(a: 2)))
    both.expect("(36)")
  }

  @Test func `a driver can be combined with itself`() {
    let sum = m.record(combine(state.a, state.a, +))
    set.on(.next(State(a: 4)))
    sum.expect("(28)")
  }
}
