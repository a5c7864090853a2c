import Flow
import FlowTesting
import Nagare
import Paging
import Testing

/// A list that follows the events of a server. Events have no states.
@Suite final class ListEventsTests {
  struct Message: Codable, Identifiable, Equatable {
    let id: Int
    var text = "?"
  }

  let m = Marbles()
  let subject = PublishSubject<ItemChange<Message>>()
  var asked = 0
  var subscribed = 0

  private func make(order: [RowOrder] = []) -> Feedback<Paged<Message>> {
    PagedList(pageSize: 2) { [unowned self] (key: Int?, _) in
      asked += 1
      return .just(Page([Message(id: 10), Message(id: 20)], next: Int?.none)).delay(.milliseconds(20), on: m.clock)
    }
    .following(
      Observable.deferred { [unowned self] in
        subscribed += 1
        return subject.asObservable()
      }, order: order
    )
    .feedback(on: m.clock)
  }

  private func ids(_ list: Feedback<Paged<Message>>) -> [Int] { list.state.items.map(\.id) }

  @Test func `insertions, changes and removals are listed`() {
    let list = make()
    let subscription = list.items.subscribe { _ in }
    m.clock.run()
    subject.onNext(.insert(Message(id: 30), at: .end))
    subject.onNext(.insert(Message(id: 5)))
    m.clock.run()
    #expect(ids(list) == [5, 10, 20, 30])
    subject.onNext(.change(Message(id: 20, text: "new")))
    subject.onNext(.change(Message(id: 99)))
    subject.onNext(.remove(10))
    subject.onNext(.remove(98))
    m.clock.run()
    #expect(ids(list) == [5, 20, 30] && list.state[20]?.text == "new")
    #expect(asked == 1 && subscribed == 1)
    subscription.dispose()
    subject.onNext(.remove(20))
    #expect(ids(list) == [5, 20, 30])
  }

  @Test func `an order determines the position of items without a place`() {
    let list = make(order: [RowOrder(by: "id")])
    let subscription = list.items.subscribe { _ in }
    m.clock.run()
    for id in [15, 25, 5] { subject.onNext(.insert(Message(id: id))) }
    m.clock.run()
    #expect(ids(list) == [5, 10, 15, 20, 25])
    subscription.dispose()
  }

  @Test func `events that arrive while the first page loads are listed`() {
    let list = make(order: [RowOrder(by: "id")])
    let subscription = list.items.subscribe { _ in }
    m.clock.advance(by: .milliseconds(10))
    subject.onNext(.insert(Message(id: 15)))
    subject.onNext(.remove(10))
    m.clock.run()
    #expect(ids(list).contains(15))
    subscription.dispose()
  }

  @Test func `a stream that fails is subscribed to again, and the list reloads`() {
    let events = [PublishSubject<ItemChange<Message>>(), PublishSubject<ItemChange<Message>>()]
    var (next, pages) = (0, 0)
    struct Chat { var messages = Paged<Message>() }
    let state = Feedback(Chat(), on: m.clock)
    state.follow(
      \.messages,
      events: Observable.deferred {
        next += 1
        return events[min(next, 2) - 1].asObservable()
      })
    state.react(to: \.messages) { [m] _ in
      pages += 1
      return .just(Page([Message(id: pages)], next: Int?.none)).delay(.milliseconds(20), on: m.clock)
    }
    let start = Trigger()
    state.on(start) { $0.messages.first() }
    let subscription = state.messages.items.subscribe { _ in }
    try? start.send()
    m.clock.run()
    events[0].onError(LoadFailure(.unreachable, "gone", isRetryable: true))
    m.clock.run()
    #expect(next == 2 && pages == 2)
    events[1].onNext(.insert(Message(id: 7), at: .end))
    m.clock.run()
    #expect(state.state.messages.items.map(\.id).last == 7)
    subscription.dispose()
  }
}
