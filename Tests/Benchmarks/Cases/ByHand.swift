/// The pipelines of ``Streams``, written by hand with closures. Like a stream, each part can be subscribed to and left,
/// ends and fails, and is independent of the others.
enum ByHand {
  static let cases = [
    Case("hand.chain", repetitions: 1_000_000, counted: 10_000, prepare: chain),
    Case("hand.flatMapLatest", repetitions: 1_000_000, counted: 10_000, prepare: flatMapLatest),
    Case("hand.merged", repetitions: 1_000_000, counted: 10_000, prepare: merged),
    Case("hand.shared", repetitions: 300_000, counted: 10_000, prepare: shared),
  ]

  private enum Event {
    case next(Int)
    case end((any Error)?)
  }
  private typealias Handler = (Event) -> Void
  private typealias Source = (@escaping Handler) -> () -> Void

  /// The subscribers by number, so that they can leave.
  private final class Handlers {
    private var all: [(number: Int, handler: Handler)] = []
    private var count = 0

    func join(_ handler: @escaping Handler) -> () -> Void {
      count += 1
      let number = count
      all.append((number, handler))
      return { self.all.removeAll { $0.number == number } }
    }

    func tell(_ event: Event) { for (_, handler) in all { handler(event) } }
  }

  private static func map(_ source: @escaping Source, _ transform: @escaping (Int) -> Int) -> Source {
    { handler in
      source { event in
        switch event {
        case .next(let value): handler(.next(transform(value)))
        case .end: handler(event)
        }
      }
    }
  }

  private static func chain() -> (Int) -> Void {
    let handlers = Handlers()
    let total = Total()
    let mapped = map(handlers.join) { $0 &+ 1 }
    let filtered: Source = { handler in
      mapped { event in
        if case .next(let value) = event, value & 3 == 0 { return }
        handler(event)
      }
    }
    let scanned: Source = { handler in
      var sum = 0
      return filtered { event in
        switch event {
        case .next(let value):
          sum &+= value
          handler(.next(sum))
        case .end: handler(event)
        }
      }
    }
    return emit(into: [handlers], scanned(adding(to: total)))
  }

  private static func flatMapLatest() -> (Int) -> Void {
    let handlers = Handlers()
    let total = Total()
    let latest: Source = { handler in
      var leaveInner: (() -> Void)?
      let leave = handlers.join { event in
        guard case .next(let value) = event else { return handler(event) }
        leaveInner?()
        var isLatest = true
        leaveInner = { isLatest = false }
        let inner: Source = { handler in
          handler(.next(value &+ 1))
          handler(.end(nil))
          return {}
        }
        _ = inner { if isLatest, case .next = $0 { handler($0) } }
      }
      return {
        leaveInner?()
        leave()
      }
    }
    return emit(into: [handlers], latest(adding(to: total)))
  }

  private static func merged() -> (Int) -> Void {
    let sources = [Handlers(), Handlers(), Handlers()]
    let state = Handlers()
    let total = Total()
    let joined: Source = { handler in
      var running = sources.count
      let leaves = sources.map { source in
        source.join { event in
          if case .end(nil) = event {
            running -= 1
            if running > 0 { return }
          }
          handler(event)
        }
      }
      return { for leave in leaves { leave() } }
    }
    let combined: Source = { handler in
      var latest: Int?
      let leaveState = state.join { if case .next(let value) = $0 { latest = value } }
      let leave = joined { event in
        guard case .next(let value) = event else { return handler(event) }
        if let latest { handler(.next(value &+ latest)) }
      }
      return {
        leaveState()
        leave()
      }
    }
    let leave = combined(adding(to: total))
    state.tell(.next(7))
    return emit(into: sources, leave)
  }

  private static func shared() -> (Int) -> Void {
    let handlers = Handlers()
    let total = Total()
    let mapped = map(handlers.join) { $0 &+ 1 }
    let listeners = Handlers()
    var last: Event?
    let leave = mapped { event in
      last = event
      listeners.tell(event)
    }
    let leaves = (0..<10).map { _ in
      if let last { adding(to: total)(last) }
      return listeners.join(adding(to: total))
    }
    return emit(into: [handlers]) {
      for leave in leaves { leave() }
      leave()
    }
  }

  private static func adding(to total: Total) -> Handler { { if case .next(let value) = $0 { total.add(value) } } }

  /// Sends numbers to the sources in turn.
  private static func emit(into sources: [Handlers], _ leave: @escaping () -> Void) -> (Int) -> Void {
    { repetitions in
      var turn = 0
      for number in 0..<repetitions {
        sources[turn].tell(.next(number))
        turn = turn + 1 == sources.count ? 0 : turn + 1
      }
      withExtendedLifetime(leave) {}
    }
  }
}
