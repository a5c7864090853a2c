import Nagare

/// A list of articles that grows page by page.
struct Articles: ViewModel {
  struct Input: Ports {
    let refresh = Trigger()
    let reachBottom = Trigger()
    let select = Port<Article.ID>("id")
  }
  struct Output {
    let items: Observable<Items<Article>>
    let loading: Observable<Bool>
    let error: Observable<Failure?>
    let opened: Observable<Article>
  }
  let load: (_ page: Int) -> Observable<ArticlePage>

  func transform(_ input: Input, on clock: any Scheduler) -> Output {
    let feed = Observable.folding(Feed(), Feed.apply) { feed in
      merge(
        input.refresh.stream.map { 1 },
        input.reachBottom.stream
          .throttle(.seconds(1), latest: false, on: clock)
          .withLatestFrom(feed)
          .compactMap(\.nextPage)
      )
      .flatMapLatest { page in load(page).materialize().map { .loaded(page, $0) }.startWith(.began) }
    }
    .share(replay: 1)
    return Output(
      items: feed.map(\.items).distinctUntilChanged(),
      loading: feed.map(\.isLoading).distinctUntilChanged(),
      error: feed.map(\.failure).distinctUntilChanged(),
      opened: input.select.accepting("id", as: "the id of a listed article", given: feed) { $1.items[$0] })
  }
}
