internal import Flow
internal import Nagare

/// The same small view model with a feedback and with a folded stream. A repetition is one input, and everything that
/// it causes.
enum Feedbacks {
  static let cases = [
    Case("feedback.step", repetitions: 300_000, counted: 10_000, prepare: step),
    Case("folding.step", repetitions: 300_000, counted: 10_000, prepare: foldedStep),
    Case("feedback.validated", repetitions: 300_000, counted: 10_000, prepare: validated),
    Case("folding.validated", repetitions: 300_000, counted: 10_000, prepare: foldedValidated),
    Case("feedback.effect", repetitions: 300_000, counted: 10_000, prepare: effect),
    Case("folding.effect", repetitions: 300_000, counted: 10_000, prepare: foldedEffect),
    Case("jobs.short", repetitions: 20_000, counted: 1000) { jobs(10) },
    Case("jobs.long", repetitions: 20_000, counted: 1000) { jobs(10_000) },
  ]

  private struct State {
    var count = 0
    var isEven: Bool { count & 1 == 0 }
    var name = "a name that has no place within the string itself"
    var load = Load<Int>()
  }

  // MARK: - A plain step, and four outputs of which two change

  private static func step() -> (Int) -> Void {
    let add = Port<Int>("n")
    let state = Feedback(State(), on: VirtualScheduler())
    state.on(add) { $0.count &+= $1 }
    state.react(to: \.load) { _ in .never() }
    let (total, bag) = (Total(), DisposeBag())
    state.count.subscribe { total.add($0) }.disposed(by: bag)
    state.isEven.subscribe { total.add($0 ? 1 : 0) }.disposed(by: bag)
    state.name.subscribe { total.add($0.utf8.count) }.disposed(by: bag)
    state.isLoading.subscribe { total.add($0 ? 1 : 0) }.disposed(by: bag)
    return repeated(bag) { add.on(.next($0)) }
  }

  // MARK: - A job more, and the answer to the oldest of many

  private struct JobState { var jobs = Jobs<Int, Void>(.parallel) }

  private static func jobs(_ running: Int) -> (Int) -> Void {
    let add = Port<Int>("n")
    let state = Feedback(JobState(), on: VirtualScheduler())
    state.on(add) { $0.jobs.add($1) }
    var (asked, oldest) = ([Int: PublishSubject<Void>](), 0)
    state.react(to: \.jobs) { number in
      let question = PublishSubject<Void>()
      asked[number] = question
      return question.asObservable()
    }
    let (total, bag) = (Total(), DisposeBag())
    state.isLoading.subscribe { total.add($0 ? 1 : 0) }.disposed(by: bag)
    for number in 0..<running { add.on(.next(number)) }
    return { repetitions in
      for _ in 0..<repetitions {
        add.on(.next(oldest + running))
        asked.removeValue(forKey: oldest)?.on(.next(()))
        oldest += 1
      }
      withExtendedLifetime(bag) {}
    }
  }

  private struct Folded {
    var count = 0
    var isEven: Bool { count & 1 == 0 }
    var name = "a name that has no place within the string itself"
    var isLoading = false
  }

  private static func foldedStep() -> (Int) -> Void {
    let add = Port<Int>("n")
    let state = Observable.folding(Folded(), { $0.count &+= $1 }, { _ in add.stream }).share(replay: 1)
    let (total, bag) = (Total(), DisposeBag())
    state.map(\.count).distinctUntilChanged().subscribe(onNext: { total.add($0) }).disposed(by: bag)
    state.map(\.isEven).distinctUntilChanged().subscribe(onNext: { total.add($0 ? 1 : 0) }).disposed(by: bag)
    state.map(\.name).distinctUntilChanged().subscribe(onNext: { total.add($0.utf8.count) }).disposed(by: bag)
    state.map(\.isLoading).distinctUntilChanged().subscribe(onNext: { total.add($0 ? 1 : 0) }).disposed(by: bag)
    return repeated(bag) { add.on(.next($0)) }
  }

  // MARK: - A step that may refuse, and one output

  private static func validated() -> (Int) -> Void {
    let add = Port<Int>("n")
    let state = Feedback(State(), on: VirtualScheduler())
    state.on(add) { state, number in
      if number < 0 { throw Refusal("n", mustBe: "0 or more") }
      state.count &+= number
    }
    let (total, bag) = (Total(), DisposeBag())
    state.count.subscribe { total.add($0) }.disposed(by: bag)
    return repeated(bag) { add.on(.next($0)) }
  }

  private static func foldedValidated() -> (Int) -> Void {
    let add = Port<Int>("n")
    let state = Observable.folding(Folded(), { $0.count &+= $1 }) { state in
      add.stream.withLatestFrom(state) { number, _ in number < 0 ? nil : number }.compactMap { $0 }
    }
    .share(replay: 1)
    let (total, bag) = (Total(), DisposeBag())
    state.map(\.count).distinctUntilChanged().subscribe(onNext: { total.add($0) }).disposed(by: bag)
    return repeated(bag) { add.on(.next($0)) }
  }

  // MARK: - A load that is answered at once, and four outputs; the folded one can't fail

  private static func effect() -> (Int) -> Void {
    let go = Trigger()
    let state = Feedback(State(), on: VirtualScheduler())
    state.on(go) { state in
      state.count &+= 1
      state.load.start()
    }
    state.react(to: \.load) { .just($0.count) }
    let (total, bag) = (Total(), DisposeBag())
    state.load.value.subscribe { total.add($0 ?? 0) }.disposed(by: bag)
    state.name.subscribe { total.add($0.utf8.count) }.disposed(by: bag)
    state.isLoading.subscribe { total.add($0 ? 1 : 0) }.disposed(by: bag)
    state.failure.subscribe { total.add($0 == nil ? 0 : 1) }.disposed(by: bag)
    return repeated(bag) { _ in go.on(.next(())) }
  }

  private struct FoldedLoad {
    enum Step { case began, loaded(Int) }

    var count = 0
    var value: Int?
    var name = "a name that has no place within the string itself"
    var isLoading = false
    var failure: Failure?

    mutating func apply(_ step: Step) {
      switch step {
      case .began: (count, isLoading, failure) = (count &+ 1, true, nil)
      case .loaded(let value): (self.value, isLoading) = (value, false)
      }
    }
  }

  private static func foldedEffect() -> (Int) -> Void {
    let go = Trigger()
    let state = Observable.folding(FoldedLoad(), { $0.apply($1) }) { state in
      merge(
        go.stream.map { .began },
        go.stream.withLatestFrom(state) { $1.count }.flatMapLatest { .just(.loaded($0)) })
    }
    .share(replay: 1)
    let (total, bag) = (Total(), DisposeBag())
    state.map(\.value).distinctUntilChanged().subscribe(onNext: { total.add($0 ?? 0) }).disposed(by: bag)
    state.map(\.name).distinctUntilChanged().subscribe(onNext: { total.add($0.utf8.count) }).disposed(by: bag)
    state.map(\.isLoading).distinctUntilChanged().subscribe(onNext: { total.add($0 ? 1 : 0) }).disposed(by: bag)
    state.map(\.failure).distinctUntilChanged().subscribe(onNext: { total.add($0 == nil ? 0 : 1) }).disposed(by: bag)
    return repeated(bag) { _ in go.on(.next(())) }
  }

  private static func repeated(_ bag: DisposeBag, _ input: @escaping (Int) -> Void) -> (Int) -> Void {
    { repetitions in
      for number in 0..<repetitions { input(number) }
      withExtendedLifetime(bag) {}
    }
  }
}
