import Nagare
import NagareTesting
import Testing

/// The pattern of the documentation: dependencies are values, and a test passes fakes on the virtual clock.
@Suite struct DependenciesTests {
  /// The dependencies of a screen.
  struct Market: Sendable {
    let price: @Sendable (_ share: String) async throws -> Int
    let news: @Sendable () -> AsyncStream<String>
  }

  struct Share: ViewModel {
    struct Input: Ports {
      let refresh = Trigger()
    }
    struct Output: Outputs {
      let price: Driver<Int?>
      let headline: Driver<String>
      let error: Driver<Failure?>
    }
    struct State {
      var price = Load<Int>()
      var headline = ""
    }
    let name: String
    let market: Market

    func transform(_ input: Input, on clock: any Scheduler) -> Output {
      let state = Feedback(State(), on: clock)
      state.on(input.refresh) { $0.price.start() }
      state.react(to: \.price) { [name, market] _ in try await market.price(name) }
      state.on(Observable.values(of: market.news(), on: clock).asSignal { _ in nil }) { $0.headline = $1 }
      return Output(price: state.price.value, headline: state.headline, error: state.failure)
    }
  }

  let m = Marbles()

  /// A market whose prices take 200 ms, and whose news come from the test.
  private func market(news: AsyncStream<String>, price: Int?) -> Market {
    let sleep = m.clock.sleep
    return Market(
      price: { share in
        try await sleep(.milliseconds(200))
        guard let price else { throw LoadFailure(.unreachable, "no price of \(share)") }
        return price
      }, news: { news })
  }

  @Test func `a price and the news are shown when they arrive`() {
    let (news, report) = AsyncStream.makeStream(of: String.self)
    let view = Opened(Share(name: "NGR", market: market(news: news, price: 7)), on: m.clock)
    m.recordAll(of: view) { sent in
      m.play("-r", into: view.input.refresh)
      let timer = m.clock.schedule(after: .milliseconds(400)) { report.yield("Up") }
      m.clock.run(until: .seconds(1))
      sent.price.expect("   n--7") { $0.map { Character("\($0)") } ?? "n" }
      sent.headline.expect("?---U") { $0.first ?? "?" }
      timer.dispose()
    }
  }

  @Test func `an unknown price is a failure`() {
    let (news, _) = AsyncStream.makeStream(of: String.self)
    let view = Opened(Share(name: "NGR", market: market(news: news, price: nil)), on: m.clock)
    m.recordAll(of: view) { sent in
      m.play("-r", into: view.input.refresh)
      m.clock.run(until: .seconds(1))
      #expect(sent.error.elements.last??.message == "no price of NGR")
    }
  }
}
