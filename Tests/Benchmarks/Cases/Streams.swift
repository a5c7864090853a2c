internal import Flow

/// Events through streams. A repetition is one event sent to a subject, and everything that it causes.
enum Streams {
  static let cases = [
    Case("streams.chain", repetitions: 1_000_000, counted: 10_000, prepare: chain),
    Case("streams.flatMapLatest", repetitions: 1_000_000, counted: 10_000, prepare: flatMapLatest),
    Case("streams.merged", repetitions: 1_000_000, counted: 10_000, prepare: merged),
    Case("streams.shared", repetitions: 300_000, counted: 10_000, prepare: shared),
    Case("streams.throttle", repetitions: 1_000_000, counted: 10_000, prepare: throttle),
    Case("streams.debounce", repetitions: 1_000_000, counted: 10_000, prepare: debounce),
  ]

  private static func chain() -> (Int) -> Void {
    let subject = PublishSubject<Int>()
    let total = Total()
    let subscription =
      subject
      .map { $0 &+ 1 }
      .filter { $0 & 3 != 0 }
      .scan(0) { $0 &+ $1 }
      .subscribe(onNext: { total.add($0) })
    return emit(into: [subject], subscription)
  }

  private static func flatMapLatest() -> (Int) -> Void {
    let subject = PublishSubject<Int>()
    let total = Total()
    let subscription =
      subject
      .flatMapLatest { .just($0 &+ 1) }
      .subscribe(onNext: { total.add($0) })
    return emit(into: [subject], subscription)
  }

  private static func merged() -> (Int) -> Void {
    let subjects = [PublishSubject<Int>(), PublishSubject<Int>(), PublishSubject<Int>()]
    let state = BehaviorSubject(7)
    let total = Total()
    let subscription =
      merge(subjects[0].asObservable(), subjects[1].asObservable(), subjects[2].asObservable())
      .withLatestFrom(state.asObservable()) { $0 &+ $1 }
      .subscribe(onNext: { total.add($0) })
    return emit(into: subjects, subscription)
  }

  private static func shared() -> (Int) -> Void {
    let subject = PublishSubject<Int>()
    let total = Total()
    let shared = subject.map { $0 &+ 1 }.share(replay: 1)
    let bag = DisposeBag()
    for _ in 0..<10 { shared.subscribe(onNext: { total.add($0) }).disposed(by: bag) }
    return emit(into: [subject], bag)
  }

  /// One event every 100 ms, of which one per second passes.
  private static func throttle() -> (Int) -> Void {
    let subject = PublishSubject<Int>()
    let total = Total()
    let clock = VirtualScheduler()
    let subscription =
      subject
      .throttle(.seconds(1), latest: false, on: clock)
      .subscribe(onNext: { total.add($0) })
    return { repetitions in
      for number in 0..<repetitions {
        subject.onNext(number)
        clock.advance(by: .milliseconds(100))
      }
      withExtendedLifetime(subscription) {}
    }
  }

  /// One event every 20 ms. After each tenth event, a pause is long enough to emit it.
  private static func debounce() -> (Int) -> Void {
    let subject = PublishSubject<Int>()
    let total = Total()
    let clock = VirtualScheduler()
    let subscription =
      subject
      .debounce(.milliseconds(200), on: clock)
      .subscribe(onNext: { total.add($0) })
    return { repetitions in
      for number in 0..<repetitions {
        subject.onNext(number)
        clock.advance(by: .milliseconds(number % 10 == 9 ? 200 : 20))
      }
      withExtendedLifetime(subscription) {}
    }
  }

  /// Sends numbers to subjects in turn.
  private static func emit(into subjects: [PublishSubject<Int>], _ subscription: any Disposable) -> (Int) -> Void {
    { repetitions in
      var turn = 0
      for number in 0..<repetitions {
        subjects[turn].onNext(number)
        turn = turn + 1 == subjects.count ? 0 : turn + 1
      }
      withExtendedLifetime(subscription) {}
    }
  }
}
