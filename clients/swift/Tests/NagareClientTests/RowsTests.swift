import Randomness
import Testing

@testable import NagareClient

@Suite struct RowsTests {
  @Test(arguments: 0..<5) func `rows equal an array after random changes`(_ seed: Int) {
    var random = SplitMix64(seed: UInt64(seed))
    var array = Array(0..<Int.random(in: 0...3000, using: &random))
    var rows = Rows(array)
    for step in 0..<100 {
      let before = (rows, array)
      let start = Int.random(in: 0...array.count, using: &random)
      let deleteCount = Int.random(in: 0...min(array.count - start, step % 10 == 0 ? 2000 : 3), using: &random)
      let items = Array(0..<Int.random(in: 0...(step % 7 == 0 ? 1200 : 3), using: &random))
      #expect(rows.splice(start, deleteCount, items) == true)
      array.replaceSubrange(start..<start + deleteCount, with: items)
      #expect(rows.elementsEqual(array) && rows.count == array.count)
      #expect(rows.indices.allSatisfy { rows[$0] == array[$0] })
      #expect(before.0.elementsEqual(before.1), "an old one stays as it was")
    }
  }

  @Test(arguments: [(-1, 0), (0, 4), (4, 0), (3, 1), (0, -1), (1, Int.max)])
  func `a splice outside the list changes nothing`(_ start: Int, _ deleteCount: Int) {
    var rows = Rows(["a", "b", "c"])
    #expect(rows.splice(start, deleteCount, ["x"]) == false)
    #expect(rows == Rows(["a", "b", "c"]))
  }

  @Test func `rows are a collection`() {
    let rows = Rows(0..<2000)
    #expect(rows.first == 0 && rows.last == 1999 && rows.index(0, offsetBy: 7) == 7)
    #expect(Array(rows[1000..<1003]) == [1000, 1001, 1002])
    #expect(Array(rows.reversed().prefix(2)) == [1999, 1998])
    #expect(Rows<Int>().isEmpty && Rows([1, 2]).description == "[1, 2]")
  }
}
