import Flow
import FlowTesting
import Nagare
import Testing

@testable import Feeds

/// A page whose items have a letter each for their id: of `"abC"` they are `a`, `b`, and `c` with other contents.
func page(_ letters: String, next: String? = nil, previous: String? = nil, failures: [LoadFailure] = []) -> Page {
  var bytes: [UInt8] = []
  var slices: [RawItems.Slice] = []
  for letter in letters {
    let (start, text) = (UInt32(bytes.count), itemText(letter))
    bytes += Array(text.utf8)
    slices.append(RawItems.Slice(start: start, length: UInt32(text.utf8.count), idStart: start + 6, idLength: 3))
  }
  return Page(
    items: RawItems(bytes: bytes, slices: slices), next: next?.json, previous: previous?.json, failures: failures)
}

private func itemText(_ letter: Character) -> String { #"{"id":"\#(letter.lowercased())","as":"\#(letter)"}"# }

func id(_ letter: Character) -> ItemID { ItemID(String(letter)) }

func item(_ letter: Character) -> RawJSON {
  let text = Array(itemText(letter).utf8)
  return RawJSON(trusting: text, 0..<text.count)
}

extension ItemList {
  /// The items as ``page(_:next:faults:)`` was told of them.
  var letters: String { map { $0.json.member("as")?.string ?? "?" }.joined() }
}

/// A list, what is asked of its source, and what it says, all on the marbles' clock.
struct ListStage {
  let marbles: Marbles
  let input: List.Input
  let output: List.Output
  /// The keys of the pages that were asked for; the first page's is drawn as `1`.
  let requests: Recording<Character>
  let items: Recording<String>
  let loading: Recording<Bool>
  let error: Recording<Failure?>
  /// The pagers that were opened.
  let pagers: Recording<Pager?>

  /// A list whose pages are these, each under its number from 1, and come 300 ms after they were asked for.
  init(_ pages: String..., settings: ListSettings = ListSettings(), marbles: Marbles = Marbles()) {
    self.init(settings: settings, marbles: marbles) { key, _ in
      let number = Int(String(key)) ?? 0
      let next = number < pages.count ? String(number + 1) : nil
      return .just(page(pages[number - 1], next: next)).delay(.milliseconds(300), on: marbles.clock)
    }
  }

  /// A list whose source gives what `answer` makes of a page's key and of how many pages were asked for before.
  init(
    settings: ListSettings = ListSettings(), marbles: Marbles = Marbles(),
    answer: @escaping (_ key: Character, _ number: Int) -> Observable<Page>
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
    input = List.Input()
    output = list.transform(input, on: marbles.clock)
    items = marbles.record(output.items.map(\.letters)) { Character(String($0.count)) }
    loading = marbles.record(output.loading)
    error = marbles.record(output.error) { $0 == nil ? "o" : "x" }
    pagers = marbles.record(output.navigate.map { $0.viewModel as? Pager }) { $0 == nil ? "?" : "p" }
  }

  var clock: VirtualScheduler { marbles.clock }

  /// Opens a pager on an item.
  func pager(on letter: Character, _ marbles: Marbles) throws -> PagerStage {
    try input.select.send(id(letter))
    return PagerStage(try #require(pagers.elements.last ?? nil), marbles)
  }

  /// The items that are listed now.
  var listed: String { items.elements.last ?? "" }
}

/// A pager and what it says.
struct PagerStage {
  let input = Pager.Input()
  /// The item shown, as its page has it.
  let page: Recording<PagerPage>
  let loading: Recording<Bool>
  let error: Recording<Failure?>

  init(_ pager: Pager, _ marbles: Marbles) {
    let output = pager.transform(input, on: marbles.clock)
    page = marbles.record(output.page.distinctUntilChanged { $0.json.text == $1.json.text }) { page in
      page.item.member("as")?.string?.first ?? "?"
    }
    loading = marbles.record(output.loading)
    error = marbles.record(output.error) { $0 == nil ? "o" : "x" }
  }

  func swipe(to direction: Swipe.Direction) throws { try input.swipe.send(Swipe(to: direction, id: nil)) }
  func swipe(to letter: Character) throws { try input.swipe.send(Swipe(to: nil, id: id(letter))) }
}

let broken = LoadFailure(code: 7, message: "broken", isRetryable: true)
