import Flow
import FlowTesting
import Testing

@Suite struct ReplaySubjectTests {
  @Test(arguments: [(0, "-----d-|"), (1, "----cd-|"), (2, "----(bc)d-|"), (9, "----(abc)d-|")])
  func `a new subscriber receives the last values`(bufferSize: Int, expected: String) {
    let m = Marbles()
    let subject = ReplaySubject<Character>(bufferSize: bufferSize)
    m.play("-abc-d-|", into: subject)
    m.clock.run(until: .milliseconds(400))
    m.expect(subject.asObservable(), Diagram(expected))
    #expect(!subject.hasObservers)
  }

  @Test func `a subscriber after the end receives the last values and the end`() {
    for (diagram, expected) in [("-abc|", "----(bc|)"), ("-abc#", "----(bc#)")] {
      let m = Marbles()
      let subject = ReplaySubject<Character>(bufferSize: 2)
      m.play(Diagram(diagram), into: subject)
      m.clock.run()
      m.play("-----x", into: subject)
      m.expect(subject.asObservable(), Diagram(expected + "--"))
    }
  }

  @Test func `values sent during a replay follow it, in order`() {
    let subject = ReplaySubject<Int>(bufferSize: 3)
    var values: [Int] = []
    for value in 1...3 { subject.onNext(value) }
    let subscription = subject.subscribe(onNext: { value in
      values.append(value)
      if value == 1 {
        for next in 4...6 { subject.onNext(next) }
      }
    })
    #expect(values == [1, 2, 3, 4, 5, 6])
    subject.onNext(7)
    #expect(values == [1, 2, 3, 4, 5, 6, 7])
    subscription.dispose()
  }

  @Test func `an end during a replay follows it`() {
    let subject = ReplaySubject<Int>(bufferSize: 2)
    for value in 1...2 { subject.onNext(value) }
    var events: [String] = []
    let subscription = subject.subscribe { event in
      events.append(event.element.map(String.init) ?? "end")
      if event.element == 1 {
        subject.onNext(3)
        subject.onCompleted()
      }
    }
    #expect(events == ["1", "2", "3", "end"])
    subscription.dispose()
  }

  @Test(arguments: [false, true]) func `a subscriber added during a replay comes after the replaying one`(
    isShared: Bool
  ) {
    let subject = PublishSubject<Int>()
    let replaying = ReplaySubject<Int>(bufferSize: 1)
    let feeding = subject.subscribe(onNext: replaying.onNext)
    let stream = isShared ? subject.asObservable().share(replay: 1) : replaying.asObservable()
    let first = stream.subscribe()
    subject.onNext(2)
    var values: [Int] = []
    let second = stream.flatMapLatest { value in stream.map { value * 10 + $0 } }.subscribe(onNext: {
      values.append($0)
    })
    subject.onNext(3)
    #expect(values == [22, 33])
    for subscription in [feeding, first, second] { subscription.dispose() }
  }

  @Test func `disposal during a replay ends it`() {
    let subject = ReplaySubject<Int>(bufferSize: 3)
    for value in 1...3 { subject.onNext(value) }
    var values: [Int] = []
    subject.asObservable().take(2).subscribe(onNext: { values.append($0) }).dispose()
    #expect(values == [1, 2] && !subject.hasObservers)
  }
}
