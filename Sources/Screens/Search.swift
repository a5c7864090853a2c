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
    "": "A list that is searched as somebody types.",
    "search": "Looks for a text when the user has stopped typing.",
    "cancelSearch": "Looks for everything, at once.",
    "query": "What is looked for.",
    "noResult": "Whether a first page came, and nothing is listed.",
    "scrollToTop": "The first page of a search has come, or what was held back is listed.",
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
