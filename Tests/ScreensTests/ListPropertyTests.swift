import Flow
import FlowTesting
import LetterPages
import Nagare
import Paging
import Randomness
import Testing

@testable import Screens

/// For any order of a frontend's and a source's actions, a list equals the ``ListModel``.
@Suite struct ListPropertyTests {
  @Test(arguments: 0..<8) func `a list and its pager always equal a simple model`(part: Int) throws {
    for seed in part * 300..<(part + 1) * 300 {
      let run = Run(seed: seed)
      for _ in 0..<40 { try run.step() }
      try run.rest()
      if run.hasFailed { return }
    }
  }
}

/// A random day of a frontend, with a list and the model of it.
private final class Run {
  let seed: Int
  private let list: ListStage
  private let source: AnySource
  private var model: ListModel
  private var pager: PagerStage?
  private var random: SplitMix64
  private var history: [String] = []
  private(set) var hasFailed = false

  init(seed: Int) {
    self.seed = seed
    random = SplitMix64(seed: seed)
    var settings = ListSettings()
    settings.options.onRefresh = Bool.random(using: &random) ? .keep : .clear
    settings.options.throttle = Milliseconds([0, 1000, 700].randomElement(using: &random) ?? 0)
    let marbles = Marbles(frame: .seconds(10))
    source = AnySource(seed: seed, clock: marbles.clock)
    list = ListStage(settings: settings, marbles: marbles) { [source] _, number in source.load(number) }
    model = ListModel(
      seed: seed, keeps: settings.options.onRefresh == .keep, throttle: settings.options.throttle.duration)
  }

  func step() throws {
    let letter = Outcome.letter(using: &random)
    let action = Int.random(in: 0..<13, using: &random)
    history.append("\(action)\(letter)")
    switch action {
    case 0: try ask(.appear, list.input.viewWillAppear)
    case 1, 2: try ask(.reachBottom, list.input.reachBottom)
    case 3: try ask(.loadMore, list.input.loadMore)
    case 4: try ask(.refresh, list.input.refresh)
    case 5: try ask(.retry, list.input.retry)
    case 6:
      try list.input.change.port.send(.item(item(letter)))
      model.change(letter)
    case 7: try select(letter)
    case 8: try swipe(.next)
    case 9: try swipe(.previous)
    case 10:
      guard let pager, model.index(of: letter) != nil else { return }
      try pager.input.swipe.send(Swipe(to: nil, id: id(letter.lowercased().first ?? "a")))
      model.jump(to: letter)
    default: pass(.milliseconds([0, 1, 300, 999, 1000, 2600, 31_000].randomElement(using: &random) ?? 0))
    }
    check()
  }

  /// Lets all requests end. After that, nothing is loading.
  func rest() throws {
    pass(.seconds(200))
    check()
    expect(!list.loading.elements.isEmpty && list.loading.elements.last == false, "loading has stuck")
    expect(source.running == 0, "a request has stuck")
  }

  private func ask(_ trigger: LoadTrigger, _ port: Trigger) throws {
    try port.send()
    model.ask(trigger)
  }

  private func select(_ letter: Character) throws {
    let id = id(letter.lowercased().first ?? "a")
    guard model.index(of: letter) != nil else {
      expect((try? list.input.select.send(id)) == nil, "an unknown item was selected")
      return
    }
    pager = nil
    pager = try list.pager(on: letter.lowercased().first ?? "a", list.marbles)
    model.open(letter)
  }

  private func swipe(_ direction: Swipe.Direction) throws {
    guard let pager else { return }
    try pager.swipe(to: direction)
    model.swipe(by: direction == .next ? 1 : -1)
  }

  private func pass(_ time: Duration) {
    list.clock.advance(by: time)
    model.advance(to: list.clock.now)
  }

  private func check() {
    let listed = list.listed
    expect(listed == String(model.items), "the items are \(listed), not \(String(model.items))")
    expect(Set(listed.lowercased()).count == listed.count, "an id is listed twice: \(listed)")
    expect(list.loading.elements.last == model.isLoading, "loading is \(!model.isLoading)")
    expect(((list.error.elements.last ?? nil) != nil) == model.hasFailure, "a failure stands: \(!model.hasFailure)")
    expect(list.requests.elements == model.requests, "\(list.requests.elements) were asked for, not \(model.requests)")
    expect(source.mostRunning <= 1, "two requests ran at once")
    guard let pager, let page = pager.page.elements.last, let expected = model.pager else { return }
    expect(page.item.member("as")?.string == String(expected.shown), "the pager shows \(page.item.text)")
    guard !model.items.isEmpty else { return }
    expect(page.index == expected.index, "the pager isn't at \(String(describing: expected.index))")
    expect(page.count == model.items.count, "the pager counts \(page.count)")
    guard let index = page.index else { return }
    expect(listed.dropFirst(index).first == expected.shown, "the pager is not on a listed item")
  }

  private func expect(
    _ condition: Bool, _ fault: @autoclosure () -> String, sourceLocation: Testing.SourceLocation = #_sourceLocation
  ) {
    if condition || hasFailed { return }
    hasFailed = true
    Issue.record("seed \(seed): \(fault()) after \(history.joined(separator: " "))", sourceLocation: sourceLocation)
  }
}

/// A source that may do anything; see ``Outcome``.
private final class AnySource {
  private let seed: Int
  private let clock: VirtualScheduler
  private(set) var running = 0
  private(set) var mostRunning = 0

  init(seed: Int, clock: VirtualScheduler) { (self.seed, self.clock) = (seed, clock) }

  func load(_ number: Int) -> Observable<Page<RawJSON>> {
    let outcome = Outcome(seed: seed, number: number)
    let answer = Observable<Page<RawJSON>>.create { [self] observer in
      running += 1
      mostRunning = max(mostRunning, running)
      let timer: any Disposable
      if let delay = outcome.delay {
        timer = clock.schedule(after: delay) { Self.tell(outcome, observer) }
      } else {
        Self.tell(outcome, observer)
        timer = AnyDisposable.empty
      }
      return AnyDisposable { [self] in
        running -= 1
        if !outcome.isDeaf { timer.dispose() }
      }
    }
    return answer.timeout(Outcome.timeout, other: .error(broken), on: clock)
  }

  private static func tell(_ outcome: Outcome, _ observer: Observer<Page<RawJSON>>) {
    switch outcome.kind {
    case .page: observer.onNext(page(outcome.letters, next: outcome.next.map(String.init)))
    case .failure: observer.onError(broken)
    case .nothing: break
    case .end: observer.onCompleted()
    }
  }
}
