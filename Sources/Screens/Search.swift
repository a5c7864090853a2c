public import Nagare

/// A list that is searched as somebody types (the Qiita list).
public struct Search: ViewModel {
  /// What a frontend does with it: what it does with a list, and search.
  public struct Input: Ports {
    let list: List.Input
    let search = Port<String>("text")
    let cancelSearch = Trigger()

    /// Ports of their own for a view.
    public init() { self.init(List.Input()) }

    init(_ list: List.Input) { self.list = list }
  }

  /// What it says: what a list says, and of the search.
  public struct Output: Outputs {
    let list: List.Output
    let query: Driver<WireText>
    let noResult: Driver<Bool>
    let scrollToTop: Signal<Void>
  }

  /// What its inputs and outputs are for, besides those of a list.
  public static let summaries: KeyValuePairs = [
    "": "A list that the user searches by typing.",
    "search": "Searches for a text when the user stops typing.",
    "cancelSearch": "Clears the search text and searches at once.",
    "query": "The search text.",
    "noResult": "Whether the first page was loaded and no item is listed.",
    "scrollToTop": "The first page of a search was loaded, or the deferred arrivals are listed: scroll to the start.",
  ]

  private let list: List
  private let debounce: Duration

  /// A searchable list of what a source has, which is asked when a text has stayed for so long.
  public init(_ settings: ListSettings, debounce: Duration, _ source: Source<RawJSON>) {
    list = List(settings, source)
    self.debounce = debounce
  }

  /// Ports for what the screen asks for.
  public func makeInput() -> Input { Input(list.makeInput()) }

  /// The list's own state, changed by the text besides: the newest text wins, whatever is loading.
  public func transform(_ input: Input, on clock: any Scheduler) -> Output {
    let state = list.feedback(input.list, debounce: debounce, on: clock)
    state.on(input.search) { state, text throws(Refusal) in
      guard let text = QueryText(text)?.text else { throw Refusal("text", mustBe: QueryText.expectation, not: text) }
      state.text = text
      if WireText(text) == WireText(state.list.query) { state.typing.cancel() } else { state.typing.start() }
    }
    state.on(input.cancelSearch) { state in
      state.typing.cancel()
      state.search("")
    }
    return Output(
      list: list.output(of: state, input.list), query: state.list.map { WireText($0.query) },
      noResult: state.list.isWithoutResult,
      scrollToTop: state.changes(of: \.topCount))
  }
}

extension List.State {
  /// How often there was something new at the top.
  fileprivate var topCount: Int { list.answeredQueries + arrivalsShown }
}
