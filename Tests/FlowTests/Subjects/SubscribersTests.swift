import Flow
import Randomness
import Testing

@Suite struct SubscribersTests {
  @Test(arguments: 0..<30) func `values go to subscribers in the order of joining, even after others left`(seed: Int) {
    var random = SplitMix64(seed: seed)
    let subject = PublishSubject<Int>()
    var subscriptions: [(name: Int, subscription: any Disposable)] = []
    var heard: [Int] = []
    for name in 0..<600 {
      // First more subscribers join, later more of them leave.
      if subscriptions.isEmpty || Int.random(in: 0..<600, using: &random) > name {
        subscriptions.append((name, subject.subscribe(onNext: { _ in heard.append(name) })))
      } else {
        let place = [0, subscriptions.count - 1, Int.random(in: 0..<subscriptions.count, using: &random)][seed % 3]
        let subscription = subscriptions.remove(at: place).subscription
        subscription.dispose()
        subscription.dispose()
      }
      heard = []
      subject.onNext(name)
      #expect(heard == subscriptions.map(\.name))
      #expect(subject.hasObservers == !subscriptions.isEmpty)
    }
    heard = []
    for (_, subscription) in subscriptions { subscription.dispose() }
    #expect(!subject.hasObservers)
  }

  @Test(arguments: [false, true]) func `a subscriber that leaves is released, however many stay`(isOldestFirst: Bool) {
    let count = Token.Count()
    let subject = PublishSubject<Int>()
    var subscriptions = (0..<100).map { _ in
      subject.subscribe(onNext: { [token = Token("t", count)] _ in withExtendedLifetime(token) {} })
    }
    if !isOldestFirst { subscriptions.reverse() }
    for (place, subscription) in subscriptions.enumerated() {
      #expect(count.alive == 100 - place)
      subscription.dispose()
    }
    #expect(count.alive == 0)
  }

  @Test func `all of many subscribers may leave at one event, and join again`() {
    let subject = PublishSubject<Int>()
    let bag = DisposeBag()
    var heard = 0
    for _ in 0..<100 {
      subject.subscribe(onNext: { _ in
        heard += 1
        bag.dispose()
      })
      .disposed(by: bag)
    }
    subject.onNext(1)
    #expect(heard == 1 && !subject.hasObservers)
    let last = subject.subscribe(onNext: { heard += $0 })
    subject.onNext(9)
    #expect(heard == 10)
    last.dispose()
  }
}
