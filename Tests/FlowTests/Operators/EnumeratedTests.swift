import Flow
import FlowTesting
import Testing

@Suite struct EnumeratedTests {
  @Test func `values are numbered from 0`() {
    let m = Marbles()
    let source = m.cold("-a-b-c|")
    let numbered = source.stream.enumerated()
    m.expect(numbered.map(\.index), "-0-1-2|")
    source.expectSubscriptions("^-----!")
    let n = Marbles()
    n.expect(n.cold("-a-b#").stream.enumerated().map(\.element), "-a-b#")
    #expect(events(of: Observable<Int>.empty().enumerated()) == ["completed"])
  }

  @Test func `numbering starts again for each subscriber`() {
    let numbered = Observable.of("a", "b").enumerated().map { "\($0)\($1)" }
    for _ in 0..<2 { #expect(events(of: numbered) == ["0a", "1b", "completed"]) }
  }

  @Test func `a value sent while another is emitted has the next number`() {
    let source = PublishSubject<Character>()
    var log: [String] = []
    let subscription = source.enumerated().subscribe(onNext: { index, element in
      if element == "a" { source.onNext("b") }
      log.append("\(index)\(element)")
    })
    source.onNext("a")
    source.onNext("c")
    #expect(log == ["1b", "0a", "2c"])
    subscription.dispose()
  }

  @Test func `keeps the contract`() {
    expectContract { source, _ in source.enumerated() }
  }
}
