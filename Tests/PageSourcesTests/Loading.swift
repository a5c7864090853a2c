import Paging
import ItemList
import PageSources
import Flow
import RPC
import WireJSON

/// The result of a load.
enum Outcome {
  case page(Page<RawJSON>)
  case failure(LoadFailure)
  case nothing

  var page: Page<RawJSON>? { if case .page(let page) = self { page } else { nil } }
  var failure: LoadFailure? { if case .failure(let failure) = self { failure } else { nil } }
}

extension Source<RawJSON> {
  /// Loads a page, and ignores its reports.
  func load(_ request: PageRequest) -> Observable<Page<RawJSON>> { load(request) { _ in } }

  /// Loads a page. If there is a clock, lets time pass.
  func outcome(key: Int? = nil, query: String? = nil, size: Int = 20, on clock: VirtualScheduler? = nil) -> Outcome {
    outcome(PageRequest(key: key.map { ItemID($0).raw }, query: query, size: size), on: clock)
  }

  func outcome(_ request: PageRequest, on clock: VirtualScheduler? = nil) -> Outcome {
    var outcome = Outcome.nothing
    let subscription = load(request).subscribe {
      outcome = .page($0)
    } onError: { error in
      if let failure = error as? LoadFailure { outcome = .failure(failure) }
    }
    clock?.run()
    subscription.dispose()
    return outcome
  }

  /// Loads all pages from the first to the last.
  func listing(query: String? = nil, size: Int = 20, on clock: VirtualScheduler? = nil) -> Listing {
    var listing = Listing()
    var request = PageRequest(query: query, size: size)
    while let page = outcome(request, on: clock).page {
      listing.add(page)
      request.key = page.next
      // If pages never end, the test must still end.
      if page.next == nil || listing.pages > 10_000 { break }
    }
    return listing
  }
}

/// The items and failures of consecutive pages.
struct Listing: Equatable {
  var items: [String] = []
  var failures: [String] = []
  var pages = 0

  mutating func add(_ page: Page<RawJSON>) {
    items += page.texts
    failures += page.failures.map(\.message)
    pages += 1
  }
}

extension Page<RawJSON> {
  /// The items' bytes as text.
  var texts: [String] { items.slices.indices.map { items[$0].text } }
  /// The items' ids as JSON.
  var ids: [String] { items.slices.indices.map { items.id(at: $0).description } }
}
