import Flow
import FlowTesting
import LetterPages
import Nagare
import Paging
import Testing

@testable import Screens

/// A list, the requests to its source, and its outputs, all on the clock of the marbles.
struct ListStage {
  let marbles: Marbles
  let view: Opened<List>
  /// The keys of the requested pages. The first page is shown as `1`.
  let requests: Recording<Character>
  let items: Recording<String>
  let loading: Recording<Bool>
  let error: Recording<Failure?>
  /// The pagers that were opened.
  let pagers: Recording<Pager?>

  /// A list with these pages, numbered from 1. Each comes 300 ms after its request.
  init(_ pages: String..., settings: ListSettings = ListSettings(), marbles: Marbles = Marbles()) {
    self.init(settings: settings, marbles: marbles) { key, _ in
      let number = Int(String(key)) ?? 0
      let next = number < pages.count ? String(number + 1) : nil
      return .just(page(pages[number - 1], next: next)).delay(.milliseconds(300), on: marbles.clock)
    }
  }

  /// A list whose source calls `answer` with a page's key and the number of earlier requests.
  init(
    settings: ListSettings = ListSettings(), marbles: Marbles = Marbles(),
    answer: @escaping (_ key: Character, _ number: Int) -> Observable<Page<RawJSON>>
  ) {
    var settings = settings
    settings.detail = "detail"
    let asked = PublishSubject<Character>()
    requests = marbles.record(asked.asObservable())
    var count = 0
    let list = List(settings) { request in
      .deferred {
        let key = request.key?.string?.first ?? "1"
        asked.onNext(key)
        count += 1
        return answer(key, count - 1)
      }
    }
    self.marbles = marbles
    view = Opened(list, on: marbles.clock)
    let output = view.output
    items = marbles.record(output.items.map(\.letters)) { Character(String($0.count)) }
    loading = marbles.record(output.loading)
    error = marbles.record(output.error) { $0 == nil ? "o" : "x" }
    pagers = marbles.record(output.navigate.map { $0.viewModel as? Pager }) { $0 == nil ? "?" : "p" }
  }

  var input: List.Input { view.input }
  var output: List.Output { view.output }
  var clock: VirtualScheduler { marbles.clock }

  /// Opens a pager on an item.
  func pager(on letter: Character, _ marbles: Marbles) throws -> PagerStage {
    try input.select.send(id(letter))
    return PagerStage(try #require(pagers.elements.last ?? nil), marbles)
  }

  /// The items that are listed now.
  var listed: String { items.elements.last ?? "" }
}

/// A pager and its outputs.
struct PagerStage {
  let view: Opened<Pager>
  /// The pages of the pager, shown by their items.
  let page: Recording<PagerPage>
  let loading: Recording<Bool>
  let error: Recording<Failure?>

  init(_ pager: Pager, _ marbles: Marbles) {
    view = Opened(pager, on: marbles.clock)
    let output = view.output
    page = marbles.record(output.page) { page in
      page.item.member("as")?.string?.first ?? "?"
    }
    loading = marbles.record(output.loading)
    error = marbles.record(output.error) { $0 == nil ? "o" : "x" }
  }

  var input: Pager.Input { view.input }

  func swipe(to direction: Swipe.Direction) throws { try input.swipe.send(Swipe(to: direction, id: nil)) }
  func swipe(to letter: Character) throws { try input.swipe.send(Swipe(to: nil, id: id(letter))) }
}

extension ListSnapshot {
  /// The letters of the loaded items.
  var letters: String { rows.letters }
}

extension WhenConfigured {
  /// The input, which the list of the test has.
  var port: Value {
    guard let value else { preconditionFailure("the list doesn't have this input") }
    return value
  }
}
