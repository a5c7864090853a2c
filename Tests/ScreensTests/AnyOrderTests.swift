import Flow
import LetterPages
import Nagare
import Paging
import Randomness
import Testing
import WireJSON

@testable import Screens

/// For any order of a frontend's and a source's actions, no load runs forever, nothing is listed twice, and no edit is
/// lost. There are 100,000 random days in total, divided into eight parts. Feeds and tasks have other tests of this
/// kind.
@Suite struct AnyOrderTests {
  @Test(arguments: 0..<8) func `lists, their pagers and edits stay correct in any order of events`(part: Int) throws {
    for seed in part * 8000..<(part + 1) * 8000 where !ListDay(seed: seed, isSearch: false).passes() { return }
  }

  @Test(arguments: 0..<8) func `searches stay correct in any order of events`(part: Int) throws {
    for seed in part * 4000..<(part + 1) * 4000 where !ListDay(seed: seed, isSearch: true).passes() { return }
  }

  @Test(arguments: 0..<8) func `all lists that follow a store have the same query`(part: Int) throws {
    for seed in part * 500..<(part + 1) * 500 where !StoreDay(seed: seed).passes() { return }
  }
}

/// A frontend's random day: its actions, and the failed checks.
class Day {
  let seed: Int
  let clock: VirtualScheduler
  var random: SplitMix64
  private var history: [String] = []
  private(set) var hasFailed = false

  init(seed: Int, clock: VirtualScheduler = VirtualScheduler()) {
    self.seed = seed
    self.clock = clock
    random = SplitMix64(seed: seed)
  }

  /// Makes some actions. Checks the state after each, and that all work ends at the end.
  func passes() -> Bool {
    for _ in 0..<14 where !hasFailed {
      act()
      check()
    }
    clock.advance(by: .seconds(100))
    check()
    checkAtRest()
    return !hasFailed
  }

  func act() {}
  func check() {}
  func checkAtRest() {}

  func note(_ action: String) { history.append(action) }

  func chance(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

  func letter() -> Character { "abcdefABCDEF".randomElement(using: &random) ?? "a" }

  func pass() {
    let milliseconds = [0, 1, 100, 200, 300, 999, 1000, 2600, 31_000][chance(9)]
    note("\(milliseconds)ms")
    clock.advance(by: .milliseconds(milliseconds))
  }

  func expect(
    _ condition: Bool, _ fault: @autoclosure () -> String, sourceLocation: Testing.SourceLocation = #_sourceLocation
  ) {
    if condition || hasFailed { return }
    hasFailed = true
    Issue.record("seed \(seed): \(fault()) after \(history.joined(separator: " "))", sourceLocation: sourceLocation)
  }
}

private final class StoreDay: Day {
  private let dispatcher = Dispatcher()
  private let store: Store<String>
  private let choice = Choice.Input()
  private var followers: [() -> String] = []
  private var dismissals = 0
  private var expected = "a"
  private let bag = DisposeBag()

  init(seed: Int) {
    store = Store("a", on: dispatcher).taking(Action<String>("select")) { $0 = $1 }
    super.init(seed: seed)
    let model = Choice("abc".map { ChoiceItem(String($0)) }, select: Action("select"), on: dispatcher)
    model.transform(choice, on: clock).dismiss.subscribe(onNext: { [unowned self] _ in dismissals += 1 })
      .disposed(by: bag)
  }

  override func act() {
    switch chance(4) {
    case 0:
      note("follow")
      var settings = ListSettings()
      settings.queries = store.state.map { WireText($0) }
      let input = List.Input()
      var queries: [String] = []
      let list = List(settings) { request in
        queries.append(request.query ?? "")
        return .just(page(""))
      }
      list.transform(input, on: clock).items.subscribe(onNext: { _ in }).disposed(by: bag)
      try? input.viewWillAppear.send()
      followers.append { queries.last ?? "" }
    case 1, 2:
      let (chosen, before) = (letter(), dismissals)
      note("choose \(chosen)")
      let isKnown = (try? choice.choose.send(ItemID(String(chosen)))) != nil
      if isKnown { expected = String(chosen) }
      expect(isKnown == "abc".contains(chosen) && dismissals == before + (isKnown ? 1 : 0), "\(chosen) was taken")
    default:
      let value = String(letter())
      note("dispatch \(value)")
      expected = value
      try? dispatcher.dispatch(AnyAction(type: "select", value: value.json))
    }
  }

  override func check() {
    expect(followers.allSatisfy { $0() == expected }, "\(followers.map { $0() }) are followed, not \(expected)")
  }
}
