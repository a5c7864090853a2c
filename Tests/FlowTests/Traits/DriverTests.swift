import Flow
import FlowTesting
import Testing

@Suite struct DriverTests {
  struct State: Equatable {
    var count = 0
    var name = "a"
    var place = Place()
  }
  struct Place: Equatable {
    var x = 0
    var y = 0
  }

  let m = Marbles()
  let subject = BehaviorSubject(State())

  @Test func `the current value is sent first, and then each different value`() {
    let count = m.record(subject.asDriver().count)
    for value in [0, 1, 1, 2] { subject.onNext(State(count: value)) }
    count.expect("(012)")
  }

  @Test func `a driver has a value before it has subscribers, and a late subscriber receives the newest`() {
    let driver = subject.asDriver()
    #expect(driver.value.count == 0)
    subject.onNext(State(count: 3))
    #expect(driver.count.value == 3)
    m.record(driver.count).expect("3")
    #expect(driver.value.count == 3)
  }

  @Test func `a part of a part is a driver`() {
    let y = m.record(subject.asDriver().place.y)
    subject.onNext(State(place: Place(x: 4)))
    subject.onNext(State(place: Place(x: 4, y: 5)))
    y.expect("(05)")
  }

  @Test func `a mapped value is computed when the value changes, for each subscriber`() {
    var calls = 0
    let isOdd = subject.asDriver().count.map { count in
      calls += 1
      return !count.isMultiple(of: 2)
    }
    let marks = m.record(isOdd)
    subject.onNext(State(count: 0, name: "b"))
    #expect(calls == 1)
    subject.onNext(State(count: 2))
    subject.onNext(State(count: 3))
    #expect(calls == 3)
    marks.expect("(ft)")
  }

  @Test func `a constant is a driver, too`() {
    let driver = Driver.just(7)
    #expect(driver.value == 7)
    m.expect(driver.asObservable(), "7----")
  }

  @Test func `nil is a value like any other`() {
    let subject = BehaviorSubject<Int?>(nil)
    let values = m.record(subject.asDriver()) { $0.map { Character("\($0)") } ?? "n" }
    for value in [1, nil, nil, 1] { subject.onNext(value) }
    values.expect("(n1n1)")
  }

  @Test func `a subscriber that leaves receives nothing more, and retains nothing`() {
    let count = m.record(subject.asDriver().count)
    count.dispose()
    subject.onNext(State(count: 1))
    count.expect("0")
    #expect(!subject.hasObservers)
  }

  @Test func `a subscriber that leaves at the first value isn't kept`() {
    let driver = subject.asDriver()
    m.expect(driver.count.asObservable().take(1), "(0|)")
    #expect(!subject.hasObservers)
  }

  @Test func `values with versions are compared by version`() {
    struct State {
      var numbers = Numbers()
      var inner = Inner()
    }
    struct Inner { var numbers = Numbers() }
    let state = Feedback(State(), on: m.clock)
    let set = Port<Numbers>()
    state.on(set) { ($0.numbers, $0.inner.numbers) = ($1, $1) }
    let recordings = [m.record(state.numbers) { $0.mark }, m.record(state.inner.numbers) { $0.mark }]
    for value in [Numbers(version: 0, count: 1), Numbers(version: 1, count: 1)] { set.on(.next(value)) }
    for recording in recordings { recording.expect("(01)") }
  }
}

private struct Numbers: Versioned {
  var version = 0
  var count = 0

  var mark: Character { Character("\(count)") }

  func isSameVersion(as other: Numbers) -> Bool { version == other.version }
}
