import Flow
import FlowTesting
import Testing

@Suite struct DistinctUntilChangedTests {
  @Test func `a value equal to the previous one is dropped`() {
    let m = Marbles()
    m.expect(m.cold("-aab-baa|").stream.distinctUntilChanged(), "-a-b--a-|")
  }

  @Test func `a function can define equality`() {
    let m = Marbles()
    m.expect(m.cold("-aAbBa#").stream.distinctUntilChanged { $0.lowercased() == $1.lowercased() }, "-a-b-a#")
  }

  @Test func `each subscriber has its own memory`() {
    let stream = Observable.of(1, 1).distinctUntilChanged()
    var values: [Int] = []
    stream.subscribe(onNext: { values.append($0) }).dispose()
    stream.subscribe(onNext: { values.append($0) }).dispose()
    #expect(values == [1, 1])
  }

  @Test func `a value with the previous key is dropped`() {
    let m = Marbles()
    m.expect(m.cold("-aAbBa#").stream.distinctUntilChanged { $0.lowercased() }, "-a-b-a#")
    let n = Marbles()
    n.expect(n.cold("-a1Ab2|").stream.distinctUntilChanged(\.isNumber), "-a1A-2|")
  }

  @Test func `nil is a key like any other`() {
    let values = Observable.of("x", "y", "1", "2", "z").distinctUntilChanged { Int($0) }
    #expect(events(of: values) == ["x", "1", "2", "z", "completed"])
  }

  @Test func `the key function is called once for each value`() {
    var keys: [Int] = []
    let stream = Observable.of(1, 2, 2, 3).distinctUntilChanged { value in
      keys.append(value)
      return value
    }
    #expect(events(of: stream) == ["1", "2", "3", "completed"])
    #expect(keys == [1, 2, 2, 3])
  }

  @Test func `a value sent while another is emitted is compared with that one`() {
    let source = PublishSubject<Int>()
    var values: [Int] = []
    let subscription = source.distinctUntilChanged { $0 / 10 }.subscribe(onNext: { value in
      values.append(value)
      if value == 10 { for next in [11, 20] { source.onNext(next) } }
    })
    source.onNext(10)
    source.onNext(21)
    #expect(values == [10, 20])
    subscription.dispose()
  }

  @Test func `keeps the contract`() {
    expectContract { source, _ in source.distinctUntilChanged(\.name) }
    expectContract { source, _ in source.distinctUntilChanged { $0 === $1 } }
  }
}
