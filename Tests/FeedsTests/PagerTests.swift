import Flow
import FlowTesting
import Nagare
import Testing

@testable import Feeds

@Suite struct PagerTests {
  let m = Marbles()

  @Test func `two pagers that come to the end at once make one request, without a throttle too`() throws {
    var settings = ListSettings()
    settings.throttle = .zero
    settings.onRefresh = .keep
    let list = ListStage(settings: settings, marbles: m) { key, number in
      .just(page(["ab", "a"][min(number, 1)], next: "2"))
        .delay(key == "1" ? .zero : .milliseconds(300), on: m.clock)
    }
    m.play("a", into: list.input.viewWillAppear)
    m.play("--r", into: list.input.refresh)
    m.clock.run(until: m.frame)
    let pagers = try [list.pager(on: "a", m), list.pager(on: "a", m)]
    m.clock.run(until: m.frame * 9)
    // Both fall on the last item when the list comes back without the other.
    list.requests.expect("1-(12)")
    for pager in pagers { pager.loading.expect("-f(tft)--f") }
  }
}
