import Flow
import FlowTesting
import Testing

@Suite struct StartWithTests {
  @Test func `the values are emitted at the subscription, before the source's values`() {
    let m = Marbles()
    let source = m.cold("(a)-b|")
    m.expect(source.stream.startWith("x", "y"), "(xya)-b|")
    source.expectSubscriptions("^--!")
  }

  @Test func `disposal at the first value prevents the others and the source`() {
    let m = Marbles()
    let source = m.cold("-b|")
    let subscription = SerialDisposable()
    var values: [Character] = []
    subscription.dispose()
    let stream = source.stream.startWith("x", "y").take(1)
    subscription.disposable = stream.subscribe(onNext: { values.append($0) })
    #expect(values == ["x"])
    source.expectSubscriptions()
  }

  @Test func `an empty source still has these values`() {
    let m = Marbles()
    m.expect(Observable<Character>.empty().startWith("x"), "(x|)")
  }
}
