import Flow
import FlowTesting
import Testing

/// Asynchronous work on a virtual clock.
@Suite struct VirtualAsyncTests {
  private struct Offline: Error {}

  /// A server as a separate actor, which counts its requests.
  private actor Server {
    private var count = 0
    func next() -> Int {
      count += 1
      return count
    }
  }

  private let m = Marbles()

  @Test func `work begins when time passes, and takes as long as it sleeps`() {
    let sleep = m.clock.sleep
    let values = m.record(
      Observable<Character>.async(on: m.clock) {
        try await sleep(.milliseconds(200))
        try await sleep(.milliseconds(100))
        return "a"
      })
    #expect(values.elements.isEmpty)
    m.clock.run(until: .seconds(1))
    values.expect("---(a|)")
  }

  @Test func `an error that the work throws is the stream's error`() {
    let sleep = m.clock.sleep
    let values = m.record(
      Observable<Character>.async(on: m.clock) {
        try await sleep(.milliseconds(200))
        throw Offline()
      })
    m.clock.run()
    values.expect("--#")
  }

  @Test func `streams that wait for each other's actors and the clock arrive in a fixed order`() {
    for _ in 0..<50 {
      let (clock, server) = (VirtualScheduler(), Server())
      let sleep = clock.sleep
      var arrived: [String] = []
      let bag = DisposeBag()
      for number in 1...5 {
        Observable<Int>.async(on: clock) {
          try await sleep(.milliseconds(number % 2 * 100))
          return await server.next()
        }
        .subscribe(onNext: { arrived.append("\(number):\($0)") }).disposed(by: bag)
      }
      clock.run()
      #expect(arrived == ["2:1", "4:2", "1:3", "3:4", "5:5"])
    }
  }

  @Test func `the newest request wins: the others are cancelled while they sleep, and never emit`() {
    let (clock, sleep) = (m.clock, m.clock.sleep)
    let asked = PublishSubject<Character>()
    let (cancelled, cancellations) = AsyncStream.makeStream(of: Character.self)
    let values = m.record(
      asked.flatMapLatest { letter in
        Observable<Character>.async(on: clock) {
          do { try await sleep(.milliseconds(300)) } catch is CancellationError { cancellations.yield(letter) }
          return letter
        }
      })
    m.play("a-bc-----", into: asked)
    m.clock.run(until: .seconds(2))
    values.expect("------c")
    cancellations.finish()
    let told = m.record(Observable<String>.async(on: clock) { await cancelled.reduce(into: "") { $0.append($1) } }) {
      _ in "t"
    }
    m.clock.run()
    #expect(told.elements.map { String($0.sorted()) } == ["ab"])
  }
}
