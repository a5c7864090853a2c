public import Nagare

/// A list that is searched while the user types, like Qiita's list of articles.
public struct Search: ViewModel {
  /// The inputs of a search: those of a list, and those for the query.
  public struct Input: Ports {
    let list: List.Input
    let search = Port<String>("text")
    let cancelSearch = Trigger()

    /// Creates the ports of a view.
    public init() { self.init(List.Input()) }

    init(_ list: List.Input) { self.list = list }
  }

  /// The outputs of a search: those of a list, and those for the query.
  public struct Output: Outputs {
    let list: List.Output
    let query: Driver<WireText>
    let noResult: Driver<Bool>
    let scrollToTop: Signal<Void>
  }

  /// Descriptions of the inputs and outputs that a list doesn't have.
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

  /// A searchable list of a source's items. A query is sent when its text hasn't changed for `debounce`.
  public init(_ settings: ListSettings, debounce: Duration, _ source: Source<RawJSON>) {
    list = List(settings, source)
    self.debounce = debounce
  }

  /// Creates the ports that the screen's settings require.
  public func makeInput() -> Input { Input(list.makeInput()) }

  /// Connects the inputs to the list's state. A new query replaces the running load.
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
  /// Counts how often new items were listed at the top.
  fileprivate var topCount: Int { list.answeredQueries + arrivalsShown }
}
