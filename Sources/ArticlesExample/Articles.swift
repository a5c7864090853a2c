import Nagare

/// What the list shows: an object on the wire.
struct Article: Codable, Identifiable {
  let id, title: String
}

/// A list of articles that grows page by page.
struct Articles: ViewModel {
  struct Input: Ports {
    let refresh = Trigger()
    let reachBottom = Trigger()
    let select = Port<Article.ID>("id")
  }
  struct Output: Outputs {
    let items: Driver<Items<Article>>
    let loading: Driver<Bool>
    let error: Driver<Failure?>
    let opened: Signal<Article>
  }
  let load: (PageRequest) -> Observable<Page<Article>>

  func transform(_ input: Input, on clock: any Scheduler) -> Output {
    let list = Feedback(Paged<Article>(onRefresh: .keep), on: clock)
    list.on(input.refresh) { $0.first() }
    list.on(input.reachBottom, atMostEvery: .seconds(1)) { $0.next() }
    list.react(to: \.self, load)
    let opened = list.signal(on: input.select) { list, id in try list.listed(id) }
    return Output(items: list.items, loading: list.isLoading, error: list.failure, opened: opened)
  }
}
