import Flow
import FlowTesting
import Testing

@Suite struct ZipTests {
  @Test func `the nth value goes with the nth`() {
    let m = Marbles()
    let (a, b) = (m.hot("-a-b-c---"), m.hot("--1----2--3|"))
    m.expect(zip(a.stream, b.stream) { $0 == "a" ? $0 : $1 }, "--a----2--3|")
  }

  @Test func `it completes when one has and its values are used up`() {
    let m = Marbles()
    let (a, b) = (m.hot("-a-b|"), m.hot("--1----2-3-"))
    m.expect(zip(a.stream, b.stream) { $1 }, "--1----(2|)---")
    a.expectSubscriptions("^---!")
    b.expectSubscriptions("^------!")
    let n = Marbles()
    n.expect(zip(n.hot("-a|").stream, n.hot("1--2").stream) { $1 }, "-1|")
  }

  @Test func `three and four`() {
    let digits = (1...4).map { digit in Observable.of(digit, digit + 4) }
    var sums: [Int] = []
    let three = zip(digits[0], digits[1], digits[2]) { $0 + $1 * 10 + $2 * 100 }
    let four = zip(digits[0], digits[1], digits[2], digits[3]) { $0 + $1 * 10 + $2 * 100 + $3 * 1000 }
    let tuples = zip(digits[0], digits[1], digits[2], digits[3]).map { $0.0 + $0.1 + $0.2 + $0.3 }
    for stream in [three, four, tuples, zip(digits[0], digits[1], digits[2]).map { $0.0 + $0.2 }] {
      stream.subscribe(onNext: { sums.append($0) }).dispose()
    }
    #expect(sums == [321, 765, 4321, 8765, 10, 26, 4, 12])
  }

  @Test func `a failure ends it and leaves the other`() {
    let m = Marbles()
    let (a, b) = (m.hot("-1-#"), m.hot("-2--2-2"))
    m.expect(zip(a.stream, b.stream) { $1 }, "-2-#---")
    b.expectSubscriptions("^--!")
  }

  @Test func `keeps the contract`() {
    expectContract { source, _ in zip(source, .from(0..<100)) }
    expectContract { source, _ in zip(Observable.from(0..<100), source) }
  }
}
