import Flow
import ItemList
import PageSources
import Paging
import WireJSON

/// A list that follows a source, as in a view model.
final class FollowedList {
  struct State {
    var list: Paged<RawJSON>
  }

  private let state: Feedback<State>
  private let steps = PublishRelay<(inout Paged<RawJSON>) -> Void>()
  private let bag = DisposeBag()
  private(set) var failures: [String] = []

  init(
    _ source: Source<RawJSON>, filters: Filters? = nil, query: String = "", pageSize: Int = 30,
    on clock: VirtualScheduler
  ) {
    let list = Paged<RawJSON>(
      PagingOptions(pageSize: pageSize, livePace: Milliseconds(0)), source: source.capabilities, query: query,
      filters: filters)
    state = Feedback(State(list: list), on: clock)
    state.on(steps.asSignal { _ in nil }) { $1(&$0.list) }
    state.react(to: \.list, by: source)
    state.list.items.asObservable().subscribe(onNext: { _ in }).disposed(by: bag)
    state.failure.asObservable().subscribe(onNext: { [unowned self] in
      if let message = $0?.message { failures.append(message) }
    }).disposed(by: bag)
  }

  var list: Paged<RawJSON> { state.state.list }
  var texts: [String] { list.items.map { String(decoding: $0.bytes, as: UTF8.self) } }

  func perform(_ step: @escaping (inout Paged<RawJSON>) -> Void) { steps.accept(step) }
}
