import Flow
import FlowTesting
import Nagare
import Testing

@testable import Feeds

@Suite struct ListTests {
  let m = Marbles()

  @Test func `the first page comes when the view appears for the first time, the next ones at the bottom`() {
    let list = ListStage("ab", "cd", "e", marbles: m)
    m.play("-a----a", into: list.input.viewWillAppear)
    m.play("------b---------b---------b", into: list.input.reachBottom)
    m.clock.run(until: .seconds(4))
    list.requests.expect("-1----2---------3")
    list.items.expect("   0---2----4---------5")
    list.loading.expect(" ft--f-t--f------t--f")
    #expect(list.listed == "abcde")
  }
}
