import Flow
import Testing

@Suite struct DisposableTests {
  @Test func `an action runs once and is then released`() {
    let count = Token.Count()
    var runs = 0
    let disposable = AnyDisposable { [token = Token("t", count)] in
      withExtendedLifetime(token) { runs += 1 }
    }
    #expect(count.alive == 1)
    disposable.dispose()
    disposable.dispose()
    #expect(runs == 1 && count.alive == 0)
    AnyDisposable.empty.dispose()
  }

  @Test func `a bag disposes in order, and of later insertions immediately`() {
    var log: [Int] = []
    let bag = DisposeBag()
    for number in 1...3 { AnyDisposable { log.append(number) }.disposed(by: bag) }
    bag.dispose()
    bag.dispose()
    #expect(log == [1, 2, 3])
    bag.insert(AnyDisposable { log.append(4) })
    #expect(log == [1, 2, 3, 4])
  }

  @Test func `a deallocated bag disposes of its contents`() {
    var isDisposed = false
    do {
      let bag = DisposeBag()
      AnyDisposable { isDisposed = true }.disposed(by: bag)
    }
    #expect(isDisposed)
  }

  @Test func `a serial disposable disposes of the previous one`() {
    var log: [Int] = []
    let serial = SerialDisposable()
    serial.disposable = AnyDisposable { log.append(1) }
    serial.disposable = AnyDisposable { log.append(2) }
    #expect(log == [1] && !serial.isDisposed)
    serial.dispose()
    #expect(log == [1, 2] && serial.isDisposed && serial.disposable == nil)
    serial.disposable = AnyDisposable { log.append(3) }
    #expect(log == [1, 2, 3])
  }
}
