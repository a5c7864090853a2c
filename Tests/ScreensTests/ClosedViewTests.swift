import Flow
import LetterPages
import Nagare
import Paging
import Testing
import WireJSON

@testable import Screens

/// A closed view is released with all that it listed, even if it still waits for something.
@Suite struct ClosedViewTests {
  let clock = VirtualScheduler()
  /// The requests to a source that keeps all its observers in memory.
  private let asked = Asked()

  private final class Asked {
    var pages: [Observer<Page<RawJSON>>] = []
    var edits: [Observer<Void>] = []
    var answers: [Observer<TaskOutcome>] = []
  }

  private func source(answering pages: Int = 1) -> Source<RawJSON> {
    Source<RawJSON> { [asked] _ in
      .create { observer in
        asked.pages.append(observer)
        if asked.pages.count <= pages { observer.onNext(page("abc", next: "more")) }
        return AnyDisposable.empty
      }
    } write: { [asked] _ in
      .create { observer in
        asked.edits.append(observer)
        return AnyDisposable.empty
      }
    }
  }

  /// Opens a view, acts in it, and closes it.
  ///
  /// - Returns: whether its state was released.
  private func letsGo<Model: ViewModel>(
    of model: Model, _ turn: (Model.Output) -> Turn, listening listen: (Model.Output) -> any Disposable,
    after act: (Model.Input) throws -> Void
  ) throws -> Bool {
    weak var state: Turn?
    try {
      let view = Opened(model, on: clock)
      state = turn(view.output)
      let listening = listen(view.output)
      try act(view.input)
      #expect(state != nil)
      listening.dispose()
      view.close()
    }()
    return state == nil
  }

  /// Makes the presenter wait for a user who never answers.
  private func present(_ presenter: Presenter) {
    presenter.answer = { [asked] _ in
      .create { observer in
        asked.answers.append(observer)
        return AnyDisposable.empty
      }
    }
  }

  private func letsGo(
    of settings: ListSettings = ListSettings(), _ source: Source<RawJSON>, after act: (List.Input) throws -> Void
  ) throws -> Bool {
    try letsGo(of: List(settings, source), \.items.turn, listening: { $0.items.subscribe { _ in } }, after: act)
  }

  @Test func `edits without an answer continue after their view was closed`() throws {
    let isGone = try letsGo(source()) { input in
      try input.viewWillAppear.send()
      try input.remove.port.send(.item(id("a")))
      try input.insert.port.send(Insertion(item: item("x"), before: nil))
    }
    #expect(isGone)
    #expect(asked.edits.count == 2)
    asked.edits[0].onCompleted()
    asked.edits[1].onError(broken)
    #expect(asked.edits.allSatisfy { $0.isDisposed })
  }

  @Test func `closing a view cancels its load, even if the source ignores that`() throws {
    let isGone = try letsGo(source(answering: 0)) { try $0.viewWillAppear.send() }
    #expect(isGone)
    #expect(asked.pages[0].isDisposed)
  }

  @Test func `closing a view withdraws its question to the user`() throws {
    var settings = ListSettings()
    settings.options.confirmRemoval = "Sure?"
    let isGone = try letsGo(of: settings, source()) { input in
      present(input.present)
      try input.viewWillAppear.send()
      try input.remove.port.send(.item(id("a")))
    }
    #expect(isGone)
    #expect(asked.answers[0].isDisposed)
  }

  @Test func `a closed view no longer follows a store`() throws {
    let dispatcher = Dispatcher()
    let store = Store("a", on: dispatcher)
    var settings = ListSettings()
    settings.queries = store.state.map { WireText($0) }
    let isGone = try letsGo(of: settings, source()) { try $0.viewWillAppear.send() }
    #expect(isGone)
  }

  @Test func `a closed view doesn't search for a text that was just typed`() throws {
    let search = Search(ListSettings(), debounce: .milliseconds(300), source())
    let isGone =
      try letsGo(of: search, \.list.items.turn, listening: { $0.list.items.subscribe { _ in } }) { input in
        try input.list.viewWillAppear.send()
        try input.search.send("a")
      }
    clock.run()
    #expect(isGone)
    #expect(asked.pages.count == 1)
  }

  @Test func `a closed pager and its list are released`() throws {
    var settings = ListSettings()
    settings.detail = "detail"
    var pagers: [Opened<Pager>] = []
    weak var pager: Turn?
    let isListGone = try letsGo(of: List(settings, source()), \.items.turn) { [clock] output in
      let bag = DisposeBag()
      output.items.subscribe { _ in }.disposed(by: bag)
      output.navigate.subscribe { navigation in
        if let pager = navigation.viewModel as? Pager { pagers.append(Opened(pager, on: clock)) }
      }.disposed(by: bag)
      return bag
    } after: { input in
      try input.viewWillAppear.send()
      try input.select.send(id("c"))
      let view = pagers.removeLast()
      pager = view.output.page.turn
      let listening = view.output.page.subscribe { _ in }
      #expect(asked.pages.count == 2)
      listening.dispose()
      view.close()
    }
    #expect(isListGone)
    #expect(pager == nil)
  }

  @Test func `closed feeds and tasks are released`() throws {
    let feed = Feed { [load = source(answering: 0).load] in load($0) { _ in } }
    let isFeedGone =
      try letsGo(of: feed, \.offers.turn, listening: { $0.offers.subscribe { _ in } }) { try $0.refresh.send() }
    #expect(isFeedGone)
    let tasks = Tasks([TaskDefinition("rename", to: "name") { _ in UserTask.prompt("Name").map(\.json) }])
    let areTasksGone =
      try letsGo(of: tasks, \.error.turn, listening: { $0.error.subscribe { _ in } }) { input in
        present(input.present)
        try input.taps[0].tap.send()
      }
    #expect(areTasksGone)
    #expect(asked.answers.count == 1)
  }
}
