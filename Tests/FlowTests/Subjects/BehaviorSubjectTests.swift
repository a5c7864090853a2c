import Flow
import FlowTesting
import Testing

@Suite struct BehaviorSubjectTests {
  @Test func `a new subscriber receives the latest value, and then later ones`() {
    let m = Marbles()
    let subject = BehaviorSubject<Character>("x")
    m.play("-a-b-|", into: subject)
    let first = m.record(subject.asObservable())
    m.clock.run(until: .milliseconds(200))
    let second = m.record(subject.asObservable())
    m.clock.run()
    first.expect("xa-b-|")
    second.expect("--ab-|")
    #expect(subject.value == "b" && !subject.hasObservers)
  }

  @Test func `a subscriber after the end receives only the end, and the value stays`() {
    let completed = BehaviorSubject(1)
    completed.onNext(2)
    completed.onCompleted()
    completed.onNext(3)
    Marbles().expect(completed.asObservable(), "|")
    #expect(completed.value == 2)
    let failed = BehaviorSubject(1)
    failed.onError(MarbleError())
    Marbles().expect(failed.asObservable(), "#")
  }

  @Test func `during an event the value is already the new one`() {
    let subject = BehaviorSubject(1)
    var values: [Int] = []
    let subscription = subject.subscribe(onNext: { _ in values.append(subject.value) })
    subject.onNext(2)
    #expect(values == [1, 2])
    subscription.dispose()
  }

  @Test func `a subscriber that joins during an event receives the new value once`() {
    let subject = BehaviorSubject(1)
    let bag = DisposeBag()
    var values: [Int] = []
    subject.skip(1).take(1).subscribe(onNext: { _ in
      subject.subscribe(onNext: { values.append($0) }).disposed(by: bag)
    }).disposed(by: bag)
    subject.onNext(2)
    #expect(values == [2])
  }

  @Test func `a value sent while a subscriber receives the latest one reaches it, too`() {
    let subject = BehaviorSubject(1)
    var values: [Int] = []
    let subscription = subject.subscribe(onNext: { value in
      values.append(value)
      if value == 1 { subject.onNext(2) }
    })
    #expect(values == [1, 2])
    subscription.dispose()
  }

  @Test func `disposal at the first value ends the subscription`() {
    let subject = BehaviorSubject(1)
    var values: [Int] = []
    subject.asObservable().take(1).subscribe(onNext: { values.append($0) }).dispose()
    subject.onNext(2)
    #expect(values == [1] && !subject.hasObservers)
  }
}
