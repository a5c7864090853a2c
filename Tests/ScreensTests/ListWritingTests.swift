import Flow
import LetterPages
import Nagare
import Testing

@testable import Screens

/// How edits reach the source.
@Suite struct ListWritingTests {
  @Test func `edits are listed immediately and reach the source in their order`() throws {
    var asked: [String] = []
    var taken: [PublishSubject<Void>] = []
    let source = Source<RawJSON> { _ in
      .just(page("abc"))
    } write: { edit in
      .deferred {
        asked.append(edit.method.name)
        taken.append(PublishSubject())
        return taken[taken.count - 1].asObservable()
      }
    }
    let list = List(ListSettings(), source)
    let input = List.Input()
    var listed: [String] = []
    _ = list.transform(input, on: VirtualScheduler()).items.subscribe(onNext: { listed.append($0.letters) })
    try input.viewWillAppear.send()
    try input.remove.port.send(.item(id("b")))
    try input.insert.port.send(Insertion(item: item("x"), before: nil))
    #expect(listed == ["", "abc", "ac", "xac"])
    #expect(asked == ["source/remove", "source/insert"])
    taken[0].onError(broken)
    #expect(listed.last == "xabc")
    taken[1].onCompleted()
    #expect(listed.last == "xabc")
  }

  @Test func `an edit continues after its list was closed`() throws {
    let answer = PublishSubject<Void>()
    var isCancelled = false
    let source = Source<RawJSON> { _ in
      .just(page("abc"))
    } write: { _ in
      answer.do(onDispose: { isCancelled = true })
    }
    let input = List.Input()
    let items = List(ListSettings(), source).transform(input, on: VirtualScheduler()).items.subscribe(onNext: { _ in })
    try input.viewWillAppear.send()
    try input.remove.port.send(.item(id("b")))
    items.dispose()
    #expect(!isCancelled && answer.hasObservers)
    answer.onCompleted()
    #expect(isCancelled)
  }

  @Test func `a page that is requested again contains edits that the source has already made`() throws {
    var reports: [(RunReport) -> Void] = []
    var pages: [PublishSubject<Page<RawJSON>>] = []
    var taken: [PublishSubject<Void>] = []
    var source = Source<RawJSON> { _ in
      .never()
    } write: { _ in
      taken.append(PublishSubject())
      return taken[taken.count - 1].asObservable()
    }
    source.load = { (_, report) in
      reports.append(report)
      pages.append(PublishSubject())
      return pages[pages.count - 1].asObservable()
    }
    var settings = ListSettings()
    settings.options.onRefresh = .keep
    let input = List.Input()
    var listed: [String] = []
    _ = List(settings, source).transform(input, on: VirtualScheduler()).items
      .subscribe(onNext: { listed.append($0.letters) })
    try input.viewWillAppear.send()
    pages[0].onNext(page("ab"))
    try input.refresh.send()
    try input.remove.port.send(.item(id("a")))
    taken[0].onCompleted()
    // A report of an ended load has no effect on this load.
    reports[0](.retried)
    try input.remove.port.send(.item(id("b")))
    reports[1](.retried)
    taken[1].onCompleted()
    pages[1].onNext(page("ABc"))
    #expect(listed.last == "Ac")
  }

  @Test func `an item is removed after the user confirms`() throws {
    var settings = ListSettings()
    settings.options.confirmRemoval = "Delete?"
    let list = List(settings) { _ in .just(page("abc")) }
    let input = List.Input()
    var outcomes: [TaskOutcome] = [.cancelled, .completed(nil)]
    var asked = 0
    input.present.answer = { _ in
      asked += 1
      return .just(outcomes.removeFirst())
    }
    var listed: [String] = []
    _ = list.transform(input, on: VirtualScheduler()).items.subscribe(onNext: { listed.append($0.letters) })
    try input.viewWillAppear.send()
    try input.remove.port.send(.item(id("b")))
    #expect(asked == 1 && listed.last == "abc")
    try input.remove.port.send(.item(id("b")))
    #expect(asked == 2 && listed.last == "ac")
  }

  @Test func `if the client can't confirm a removal, the item stays and a failure is reported`() throws {
    var settings = ListSettings()
    settings.options.confirmRemoval = "Delete?"
    let view = Opened(List(settings) { _ in .just(page("abc")) }, on: VirtualScheduler())
    let input = view.input
    var failures: [Failure?] = []
    _ = view.output.error.subscribe(onNext: { failures.append($0) })
    try input.viewWillAppear.send()
    try input.remove.port.send(.item(id("b")))
    #expect(failures.last??.trigger == "remove")
    try input.refresh.send()
    #expect(failures.last == .some(nil))
  }

  @Test func `invalid edits are refused`() throws {
    let list = List(ListSettings()) { _ in .just(page("abc")) }
    let input = List.Input()
    _ = list.transform(input, on: VirtualScheduler()).items.subscribe(onNext: { _ in })
    try input.viewWillAppear.send()
    let refused: [() throws(RPCError) -> Void] = [
      { () throws(RPCError) in try input.remove.port.send(.item(id("z"))) },
      { () throws(RPCError) in try input.insert.port.send(Insertion(item: item("x"), before: id("z"))) },
      { () throws(RPCError) in try input.insert.port.send(Insertion(item: "x".json, before: nil)) },
      { () throws(RPCError) in try input.viewport.send(Viewport(start: 3, end: 2)) },
      { () throws(RPCError) in try input.viewport.send(Viewport(start: -1, end: 2)) },
    ]
    for send in refused { #expect(throws: RPCError.self) { try send() } }
  }
}
