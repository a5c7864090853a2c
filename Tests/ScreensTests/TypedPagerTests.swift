import Flow
import FlowTesting
import Nagare
import Paging
import Testing

@testable import Screens

/// A pager of a list with an author's own type of items.
@Suite final class TypedPagerTests {
  struct Message: Codable, Identifiable, Equatable {
    let id: String
    var text = "?"
  }
  struct Chat {
    var messages = Paged<Message>()
    var title = "chat"
  }

  let m = Marbles()
  let input = Pager.Input()
  private let next = Swipe(to: .next, id: nil)

  private func pages() -> PagedList<Message> {
    PagedList(pageSize: 2) { [m] (key: Int?, _) in
      let page = (1...2).map { Message(id: "\(key ?? 1).\($0)") }
      return .just(Page(page, next: (key ?? 1) < 2 ? 2 : nil)).delay(.milliseconds(20), on: m.clock)
    }
  }

  /// Swipes three times, changes an item, and returns the ids that the pager showed.
  private func swipe(_ output: Pager.Output, change: () -> Void) -> [String] {
    let page = m.record(output.page) { $0.id.json.text.last.map { $0 == "\"" ? "i" : $0 } ?? "n" }
    for _ in 0..<3 {
      try? input.swipe.send(next)
      m.clock.run()
    }
    change()
    m.clock.run()
    return page.elements.map { "\($0.id) \($0.index ?? -1)/\($0.count)\($0.hasMore ? "+" : "")" }
  }

  @Test func `a pager moves through a typed list and loads more pages`() throws {
    let list = pages().feedback(on: m.clock)
    let rename = Trigger()
    list.on(rename) { try $0.update(Message(id: "2.2", text: "new")) }
    let subscription = list.items.subscribe { _ in }
    m.clock.run()
    let shown = swipe(Pager(list, from: "1.1").transform(input, on: m.clock)) {
      try? rename.send()
    }
    #expect(shown.first == #""1.1" 0/2+"# && shown.last == #""2.2" 3/4"#)
    subscription.dispose()
  }

  @Test func `a pager moves through a list that is a part of a state`() throws {
    let state = Feedback(Chat(), on: m.clock)
    state.react(to: \.messages, by: pages())
    let subscription = state.messages.items.subscribe { _ in }
    m.clock.run()
    let shown = swipe(Pager(state.messages, from: "1.2").transform(input, on: m.clock)) {}
    #expect(shown.first?.hasPrefix(#""1.2" 1/"#) == true && shown.last == #""2.2" 3/4"#)
    #expect(state.state.title == "chat")
    subscription.dispose()
  }
}
