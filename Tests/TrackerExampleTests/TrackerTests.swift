import FlowTesting
import Nagare
import Testing

@testable import TrackerExample

/// The screens with sources whose pages take 200 ms and whose edits take 100 ms. They refuse edits of number 2.
@Suite final class TrackerTests {
  // The testing library also has types called Issue and Comment.
  typealias Issue = TrackerExample.Issue
  typealias Comment = TrackerExample.Comment

  let m = Marbles()
  let news = PublishSubject<SourceChanges<Issue>>()
  var asked: [String] = []
  var made: [String] = []
  lazy var tracker = Tracker(
    issues: source { (1...3).map { TrackerTests.issue($0) } }, comments: source { [TrackerTests.said("Me, too")] },
    people: source { [Person(id: "token", name: "Mei")] })

  static func issue(_ id: Int, _ status: Issue.Status = .open) -> Issue {
    Issue(id: id, title: "Issue \(id)", kind: .bug, status: status, author: "Ren", updated: "2026-11-2\(id)")
  }

  static func said(_ text: String) -> Comment { Comment(id: 1, author: "Ren", text: text, written: "2026-11-20") }

  private func source<Item: Codable & Identifiable>(_ items: @escaping () -> [Item]) -> Source<Item>
  where Item.ID: Encodable {
    Source { [unowned self] (request: PageRequest) in
      asked.append(request.filters?.json.text ?? "{}")
      return .just(Page(items())).delay(.milliseconds(200), on: m.clock)
    } item: { [unowned self] (id: ItemID) in
      let found = items().first { (try? RawJSON(encoding: $0.id)).flatMap { ItemID($0) } == id }
      let answer = found.map { Observable.just($0) } ?? .error(LoadFailure(.noSuchItem, "there is none"))
      return answer.delay(.milliseconds(200), on: m.clock)
    } write: { [unowned self] edit in
      made.append("\(edit)")
      let answer = Observable.just(()).delay(.milliseconds(100), on: m.clock)
      guard "\(edit)".contains("2") else { return answer }
      return answer.flatMap { Observable.error(LoadFailure(code: 1, message: "locked")) }
    } changes: { [unowned self] _ in
      Observable.just(SourceChanges(state: "0")).concat(news.compactMap { $0 as? SourceChanges<Item> })
    }
  }

  @Test func `a filter loads the matching issues`() throws {
    let view = Opened(Issues(tracker: tracker), on: m.clock)
    let loading = m.record(view.output.loading)
    m.play("    -----f--g-", into: view.input.filter, values: ["f": ["kind": "wish"], "g": ["kind": nil]])
    m.clock.run(until: .seconds(2))
    loading.expect("t-f--t-ft-f")
    let open = #"{"status":"open","sort":"-updated"}"#
    #expect(asked == [open, #"{"status":"open","kind":"wish","sort":"-updated"}"#, open])
    let refusal = try #require(throws: RPCError.self) { try view.input.filter.send(["size": 3]) }
    #expect(refusal.message.hasPrefix("'set.size' must be a filter of this screen: "))
  }

  @Test func `a refused removal puts the issue back`() {
    let view = Opened(Issues(tracker: tracker), on: m.clock)
    let count = m.record(view.output.items.map { $0.count })
    let error = m.record(view.output.error) { $0 == nil ? "n" : "e" }
    m.play("-----ab----", into: view.input.remove, values: ["a": 1, "b": 2])
    m.clock.run(until: .seconds(2))
    count.expect("0-3--21----")
    error.expect("n----------")
    // The source receives the removals when they can't be undone any more.
    m.clock.run(until: .seconds(7))
    #expect(count.elements.last == 2)
    #expect(error.elements.last??.trigger == "remove" && error.elements.last??.message == "locked")
  }

  @Test func `changes by others are listed in their position`() throws {
    let view = Opened(Issues(tracker: tracker), on: m.clock)
    let items = m.record(view.output.items) { Character("\($0.count)") }
    m.clock.run(until: .milliseconds(500))
    news.onNext(SourceChanges([try .insert(TrackerTests.issue(4))], since: "0", state: "1"))
    m.clock.run(until: .seconds(2))
    items.expect("0-3--4")
    #expect(items.elements.last?.item(at: 0)?.id == 4)
  }

  @Test func `an issue opens with its comments, and only a logged-in user can comment`() throws {
    let list = Opened(Issues(tracker: tracker), on: m.clock)
    let opened = m.record(list.output.navigate) { _ in "o" }
    m.clock.run(until: .milliseconds(200))
    try list.input.select.send(1)
    #expect(throws: RPCError.self) { try list.input.select.send(9) }
    let screen = try #require(opened.elements.first?.viewModel as? IssueScreen)

    let view = Opened(screen, on: m.clock)
    let title = m.record(view.output.issue) { $0?.title.last ?? "-" }
    let error = m.record(view.output.error) { $0 == nil ? "n" : "e" }
    let said = m.record(view.output.said)
    m.clock.run(until: .milliseconds(500))
    #expect(title.elements.last??.id == 1 && view.output.comments.value.count == 1)
    #expect(throws: RPCError.self) { try view.input.comment.send("") }
    try view.input.comment.send("Not me")
    #expect(error.elements.last??.message.hasPrefix("Only who is logged in may do that") == true && made == [])
    tracker.user.onNext(Person(id: "token", name: "Mei"))
    try view.input.comment.send("Nor me")
    try view.input.status.send(.done)
    m.clock.run(until: .seconds(2))
    #expect(said.elements.count == 1 && view.output.error.value == nil)
    #expect(made.map { $0.contains("Nor me") || $0.contains("done") } == [true, true])
  }

  @Test func `a report is checked, and can be submitted again after a failure`() throws {
    let view = Opened(Report(tracker: tracker), on: m.clock)
    let reported = m.record(view.output.reported)
    let refusal = try #require(throws: RPCError.self) { try view.input.report.send(.init(title: "No", kind: .bug)) }
    #expect(refusal.message == "'title' must be 3 to 80 characters, not \"No\"")
    try view.input.report.send(.init(title: "Door squeaks", kind: .bug))
    #expect(view.output.error.value?.trigger == "report")
    tracker.user.onNext(Person(id: "token", name: "Mei"))
    try view.input.retry.send()
    m.clock.run()
    #expect(reported.elements.count == 1 && made.count == 1 && made[0].contains(#""author":"Mei""#))
  }

  @Test func `a user logs in with a token`() throws {
    var token = "nobody's"
    let view = Opened(Account(tracker: tracker), on: m.clock)
    view.input.present.answer = { _ in Observable.just(.completed(token.json)) }
    let user = m.record(view.output.user) { $0?.name.first ?? "-" }
    let error = m.record(view.output.error) { $0 == nil ? "n" : "e" }
    try view.input.logIn.send()
    m.clock.run()
    #expect(error.elements.last??.message == "there is none")
    token = "token"
    try view.input.logIn.send()
    m.clock.run()
    try view.input.logOut.send()
    #expect(user.elements.map { $0?.name } == [nil, "Mei", nil])
  }
}
