import Nagare

/// Some articles, and where it goes on.
struct ArticlePage {
  let articles: [Article]
  /// The number of the next page; nil where this is the last.
  let next: Int?
}

/// All that the list knows. Every output is a projection of it.
struct Feed {
  enum Step {
    case began
    case loaded(_ page: Int, Event<ArticlePage>)
  }

  private(set) var items = Items<Article>()
  private(set) var isLoading = false
  private(set) var failure: Failure?
  private var failures = 0
  private var next: Int? = 1

  /// What the end of the list asks for: nothing while a page is on its way, so a burst asks once.
  var nextPage: Int? { isLoading ? nil : next }

  static func apply(_ feed: inout Feed, _ step: Step) {
    switch step {
    case .began:
      feed.isLoading = true
      feed.failure = nil
    case .loaded(let number, let event):
      do {
        try feed.take(event, ofPage: number)
      } catch {
        feed.isLoading = false
        feed.failures += 1
        let trigger = number == 1 ? "refresh" : "reachBottom"
        feed.failure = Failure(error, trigger: trigger, number: feed.failures)
      }
    }
  }

  private mutating func take(_ event: Event<ArticlePage>, ofPage number: Int) throws {
    switch event {
    case .next(let page):
      if number == 1 { items.removeAll() }
      try items.append(page.articles)
      next = page.next
    case .error(let error): throw error
    case .completed: isLoading = false
    }
  }
}
