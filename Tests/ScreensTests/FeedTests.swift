import Flow
import FlowTesting
import LetterPages
import Nagare
import Paging
import Testing

@testable import Screens

@Suite struct FeedTests {
  private let m = Marbles()

  /// A feed, the number of its loads, and its outputs. Offers are shown by their number.
  private final class Stage {
    let input = Feed.Input()
    private(set) var loads = 0
    private(set) var sizes: [Int] = []
    let output: Feed.Output
    let offers: Recording<String>
    let loading: Recording<Bool>
    let error: Recording<Failure?>

    init(_ m: Marbles, answer: @escaping (_ number: Int) -> Observable<Page<RawJSON>>) {
      let asked = PublishSubject<Int>()
      var count = 0
      let feed = Feed(pageSize: 7) { request in
        .deferred {
          asked.onNext(request.size)
          count += 1
          return answer(count)
        }
      }
      output = feed.transform(input, on: m.clock)
      offers = m.record(output.offers.map { $0.letters }) { Character(String($0.count)) }
      loading = m.record(output.loading)
      error = m.record(output.error) { $0 == nil ? "o" : "x" }
      subscription = asked.subscribe(onNext: { [unowned self] size in
        loads += 1
        sizes.append(size)
      })
    }

    private var subscription: (any Disposable)?
    deinit { subscription?.dispose() }
  }

  @Test
  func
    `a refresh brings the first page, and each answer, also one that is sent to nobody because it is equal, ends the loading`()
  {
    let stage = Stage(m) { [m] number in .just(page(["ab", "ab", ""][number - 1])).delay(m.frame, on: m.clock) }
    m.play("-r--r--r-", into: stage.input.refresh)
    m.clock.run(until: m.frame * 9)
    stage.offers.expect(" 0-2-----0-")
    stage.loading.expect("ftf-tf-tf-")
    stage.error.expect("  o---------")
    #expect(stage.sizes == [7, 7, 7])
  }

  @Test func `failures don't change the offers`() {
    let stage = Stage(m) { [m] number in
      Observable<Int>.timer(m.frame, on: m.clock)
        .flatMap { _ in number.isMultiple(of: 2) ? .error(broken) : .just(page("abc")) }
    }
    m.play("-r--r--r--r--r-", into: stage.input.refresh)
    m.clock.run(until: m.frame * 15)
    stage.offers.expect("0-3------------")
    stage.loading.expect("ftf-tf-tf-tf-tf")
    stage.error.expect("o----x-o---x-o-")
    let failures = stage.error.elements.compactMap { $0 }
    #expect(failures == [1, 2].map { Failure(broken, trigger: "refresh", number: $0) })
  }

  @Test func `after a hundred failures in a row the next refresh works`() throws {
    let stage = Stage(m) { number in number <= 100 ? .error(broken) : .just(page("ab")) }
    for _ in 0..<101 { try stage.input.refresh.send() }
    #expect(stage.error.elements.compactMap(\.?.number) == Array(1...100))
    #expect(stage.error.elements.last == .some(nil))
    #expect(stage.offers.elements == ["", "ab"])
  }

  @Test func `a newer refresh drops the running load and ignores its late answer`() {
    let stage = Stage(m) { [m] number in
      .just(page(number == 1 ? "a" : "bc")).delay(m.frame * (number == 1 ? 5 : 2), on: m.clock)
    }
    m.play("-rr-------", into: stage.input.refresh)
    m.clock.run(until: m.frame * 9)
    stage.offers.expect(" 0---2-----")
    stage.loading.expect("ft--f-----")
    #expect(stage.loads == 2)
  }

  @Test func `a late subscriber receives the latest values`() {
    let stage = Stage(m) { number in number == 1 ? .just(page("ab")) : .error(broken) }
    m.play("-rr", into: stage.input.refresh)
    m.clock.run(until: m.frame * 3)
    m.record(stage.output.offers.map { $0.letters }) { Character(String($0.count)) }.expect("---2")
    m.record(stage.output.error) { $0 == nil ? "o" : "x" }.expect("---x")
  }

  @Test func `a page with faults is listed, and the faults are reported`() throws {
    let fault = LoadFailure(.badRecord, "no id")
    let stage = Stage(m) { number in .just(number == 1 ? page("ab", failures: [fault]) : page("abA")) }
    try stage.input.refresh.send()
    #expect(stage.offers.elements.last == "ab")
    #expect(stage.error.elements.last == Failure(fault, trigger: "refresh"))
    try stage.input.refresh.send()
    #expect(stage.offers.elements.last == "Ab")
    #expect(stage.error.elements.last??.message.contains("two items of one page have the id") == true)
  }

  @Test func `a source that ends without a page has failed`() throws {
    let stage = Stage(m) { _ in .empty() }
    try stage.input.refresh.send()
    #expect(stage.error.elements.last??.code == LoadFailure.Code.malformedResponse.rawValue)
  }
}

extension [RawJSON] {
  /// The offers' letters, as in ``page(_:next:faults:)``.
  fileprivate var letters: String { map { $0.member("as")?.string ?? "?" }.joined() }
}
