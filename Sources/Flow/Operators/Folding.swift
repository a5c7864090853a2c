extension ObservableConvertible {
  /// One folded state, fed by events that may depend on it.
  ///
  /// ```swift
  /// let feed = Observable.folding(Feed(), Feed.apply) { feed in
  ///   reachBottom.withLatestFrom(feed).compactMap(\.nextPage).flatMapLatest(load)
  /// }
  /// ```
  ///
  /// A subscriber is told the initial state first, and then the state after each event. States are told to everybody in
  /// order, whatever answers at once: an event that is emitted while a state is on its way waits until that state has
  /// reached everybody. What `events` makes of the states is told before the subscriber is, and `withLatestFrom` of the
  /// states asks for the current one, so nothing is decided by an older state than the subscriber sees.
  ///
  /// The state is changed in place. It is copied only if somebody keeps an earlier one.
  ///
  /// - Parameters:
  ///   - initial: the state before the first event.
  ///   - fold: changes the state by an event.
  ///   - events: gets the stream of states, which starts with the current one, and makes the stream of events. It runs
  ///     once for each subscriber; the end of its stream ends the result.
  /// - Returns: the stream of states.
  @inlinable
  public static func folding<State, Event>(
    _ initial: State, _ fold: @escaping (inout State, Event) -> Void,
    _ events: @escaping (Observable<State>) -> Observable<Event>
  ) -> Observable<State> where Self == Observable<State> {
    Observable { sink, lifetime in
      let loop = FoldingLoop(initial, fold, sink, lifetime.makeChild())
      events(loop.states).run(Sink(next: loop.take, end: loop.end), loop.lifetime)
      loop.start()
    }
  }
}

/// A state, the events that wait to be folded into it, and those who follow it.
@usableFromInline
final class FoldingLoop<State, Event> {
  @usableFromInline let fold: (inout State, Event) -> Void
  @usableFromInline let sink: Sink<State>
  @usableFromInline let lifetime: Lifetime
  @usableFromInline let followers = Subscribers<State>()
  @usableFromInline var state: State
  @usableFromInline var waiting = Queue<Event>()
  @usableFromInline var ending: Flow.Event<Never>?
  /// Whether a state is on its way. At first it is the initial one.
  @usableFromInline var isEmitting = true

  @inlinable
  init(_ state: State, _ fold: @escaping (inout State, Event) -> Void, _ sink: Sink<State>, _ lifetime: Lifetime) {
    self.state = state
    self.fold = fold
    self.sink = sink
    self.lifetime = lifetime
  }

  /// The states from the current one on.
  @inlinable
  var states: Observable<State> {
    Observable(
      source: .state(
        current: { self.state },
        stream: { sink, lifetime in
          self.followers.add(sink, lifetime)
          sink.next(self.state)
        }))
  }

  @inlinable
  func start() {
    guard lifetime.isActive else { return }
    sink.next(state)
    isEmitting = false
    drain()
  }

  @inlinable
  func take(_ event: Event) {
    guard !isEmitting else { return waiting.append(event) }
    emit(event)
    drain()
  }

  @inlinable
  func emit(_ event: Event) {
    isEmitting = true
    fold(&state, event)
    let state = state
    followers.next(state)
    if lifetime.isActive { sink.next(state) }
    isEmitting = false
  }

  /// Folds what came meanwhile, and then ends if the events have.
  @inlinable
  func drain() {
    while lifetime.isActive, let event = waiting.popFirst() {
      emit(event)
    }
    if let ending, lifetime.isActive {
      lifetime.dispose()
      sink.end(ending.error)
    }
  }

  @inlinable
  func end(_ failure: (any Error)?) {
    ending = Flow.Event(end: failure)
    if !isEmitting { drain() }
  }
}
