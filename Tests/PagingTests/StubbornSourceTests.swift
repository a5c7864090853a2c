import Nagare
import Testing
import WireJSON

@testable import Paging

/// Lists whose source always gives the same useless answer at once. Still, each step must end while no time passes.
struct StubbornSourceTests {
  /// The answer of the source to every request.
  enum Source: CaseIterable {
    /// The same rows, and the same next and previous key.
    case sameRows
    /// The same rows, and new keys each time.
    case freshKeys
    /// No rows, and a next key.
    case nothing
    /// The same rows at every position, and a total that grows each time.
    case growing
    /// Pages of states whose changes the source doesn't know.
    case freshStates
    /// The report that everything changed, to each watch with a state.
    case everything
    /// No answer to a watch.
    case unanswered
  }

  enum Event: CaseIterable {
    case first, next, previous, see, seeFar, jump, around, search, searchBack, everything, missed, remove, refuse, make,
      rest
  }

  struct Run {
    let source: Source
    var list: Paged<RawJSON>
    private(set) var steps = 0
    private var number = 0
    private var heard = 0
    private var edit = 0

    init(_ source: Source, window: WindowSettings?, onRefresh: OnRefresh) {
      self.source = source
      list = Paged(PagingOptions(pageSize: 2, onRefresh: onRefresh), window: window, writes: [.remove])
      list.step { $0.follow() }
      list.first()
      answer()
    }

    mutating func perform(_ event: Event) {
      steps = 0
      switch event {
      case .first: list.first()
      case .next: list.next()
      case .previous: list.previous()
      case .see: list.setViewport(0..<2)
      case .seeFar: list.setViewport(3..<6)
      case .jump: _ = list.jump(to: list.count - 1)
      case .around: _ = list.jump(to: ItemID("b"))
      case .search: list.search("x")
      case .searchBack: list.search("")
      case .everything: try? list.receive(.everything(since: list.core.value.rows.state, state: fresh()))
      case .missed: try? list.receive(SourceChanges(since: "missed", state: fresh()))
      case .remove: list.remove(ItemID("a"))
      case .refuse, .make:
        guard let number = list.edits.wantedNumber(after: edit) else { break }
        edit = number
        if event == .make { list.edits.receiveMade(edit) } else { list.edits.end(edit, failure: nil) }
      case .rest:
        list.pace.cancel()
        list.endPause()
        list.rest.cancel()
        list.endRest()
      }
      answer()
    }

    /// Answers until there are no more requests.
    private mutating func answer() {
      while steps < 200 {
        if let following = list.following, following.number != heard {
          heard = following.number
          answer(following.subject)
        } else if case .one(let number) = list.wanted, let request = list.request(number) {
          do { try list.receive(page(for: request), of: number) } catch {
            if case .one(number) = list.wanted { list.end(number, failure: nil) }
          }
        } else {
          return
        }
        steps += 1
      }
    }

    private mutating func answer(_ request: WatchRequest) {
      switch source {
      case .freshStates where request.state != nil: try? list.endFollowing(LoadFailure(.unknownState, ""))
      case .everything where request.state != nil: try? list.receive(.everything(since: request.state, state: fresh()))
      // Such a source waits before it is watched again.
      case .unanswered where steps == 0: try? list.endFollowing(LoadFailure(.timeout, "", isRetryable: true))
      case .unanswered: break
      default: try? list.receive(SourceChanges(since: request.state, state: fresh()))
      }
    }

    private mutating func page(for request: PageRequest) -> Page<RawJSON> {
      let rows = source == .nothing ? "[]" : #"[{"id":"a"},{"id":"b"}]"#
      var page = Page<RawJSON>(items: RawItems(arrayOf: json(rows), id: "id") ?? RawItems(bytes: [], slices: []))
      page.next = source == .freshKeys ? json(fresh()) : json("1")
      page.previous = source == .freshKeys ? json(fresh()) : json("0")
      page.state = source == .sameRows ? nil : fresh()
      page.position = request.position ?? 0
      page.total = source == .growing ? (number + 3) / 2 : 9
      page.isTotalExact = source == .freshKeys
      return page
    }

    private mutating func fresh() -> String {
      number += 1
      return "\(number)"
    }
  }

  @Test(arguments: Source.allCases, [OnRefresh.keep, .clear, .revalidate])
  func `requests end after every sequence of three events`(source: Source, onRefresh: OnRefresh) {
    let windows = [
      nil, WindowSettings(margin: 1, mostItems: 0, hasPositions: true, findsItems: true),
      WindowSettings(margin: 1, mostItems: 1, findsItems: true),
    ]
    for window in windows {
      let run = Run(source, window: window, onRefresh: onRefresh)
      for first in Event.allCases {
        var afterFirst = run
        afterFirst.perform(first)
        for second in Event.allCases {
          var afterSecond = afterFirst
          afterSecond.perform(second)
          for third in Event.allCases {
            var last = afterSecond
            last.perform(third)
            let steps = max(run.steps, afterFirst.steps, afterSecond.steps, last.steps)
            if steps > 40 {
              Issue.record(
                "\(steps) steps after \(first), \(second), \(third) in \(window.map { "\($0)" } ?? "no window")")
              return
            }
          }
        }
      }
    }
  }

  @Test func `a stream of changes that fails at once is requested again after pauses`() {
    let clock = VirtualScheduler()
    let state = Feedback(Paged<RawJSON>(), on: clock)
    let load = Trigger()
    state.on(load) { $0.first() }
    state.react(to: \.self) { _ in .just(Page(items: RawItems(bytes: [], slices: []))) }
    var asked = 0
    state.follow(\.self) { _ in
      asked += 1
      return asked < 1000 ? .error(LoadFailure(.unreachable, "down", isRetryable: true)) : .never()
    }
    let listening = state.count.subscribe { _ in }
    try? load.send()
    #expect(asked == 2)
    clock.advance(by: .seconds(4))
    #expect(asked == 5)
    listening.dispose()
    clock.advance(by: .seconds(60))
    #expect(asked == 5)
  }
}
