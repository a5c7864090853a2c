// A program as an author may write it: a main-actor task, an endless feed, and an observer for another thread that is
// held while the program runs.
import Nagare

struct Feeds: ViewModel {
  struct Input: Ports { let load = Trigger() }
  struct Output: Outputs {
    let isReady: Driver<Bool>
    let last: Driver<Int>
    let loaded: Driver<String>
    let loading: Driver<Bool>
  }
  struct State {
    var isReady = false
    var last = 0
    var load = Load<String>()
  }

  let ready: BehaviorRelay<Bool>
  let numbers: AsyncStream<Int>
  let loop: EventLoop

  func transform(_ input: Input, on clock: any Scheduler) -> Output {
    let state = Feedback(State(), on: clock)
    state.on(ready.asSignal { _ in nil }) { $0.isReady = $1 }
    state.on(Observable.values(of: numbers, on: loop).asSignal { _ in nil }) { $0.last = $1 }
    state.on(input.load) { $0.load.start() }
    // The other thread's report is the answer to a load.
    state.react(to: \.load) { _ in
      .create { [loop] observer in
        let remote = RemoteObserver(observer, on: loop)
        Task.detached { remote.on(.next("loaded")) }
        return AnyDisposable.empty
      }
    }
    return Output(
      isReady: state.isReady, last: state.last, loaded: state.load.value.map { $0 ?? "" }, loading: state.isLoading)
  }
}

var held: RemoteObserver<Int>?

Service.stdio { service, loop in
  let ready = BehaviorRelay(false)
  let (numbers, continuation) = AsyncStream.makeStream(of: Int.self)
  continuation.yield(1)
  held = RemoteObserver(PublishSubject<Int>(), on: loop)
  service.add(Screen { Feeds(ready: ready, numbers: numbers, loop: loop) })
  Task { ready.accept(true) }
}
