public import Flow
internal import WireJSON

extension Feedback {
  /// Says what tells a list how its source changes, from the first load on.
  ///
  /// ```swift
  /// state.follow(\.articles) { request in api.changes(of: request.query, since: request.state) }
  /// state.react(to: \.articles) { request in api.articles(request) }
  /// ```
  /// The first value of the stream says from which state on it tells; if the list has named one, with what has happened
  /// since. The others say what happens. A stream that fails is asked for again where the failure is retryable, from the
  /// state that is held on. One that can't tell what has happened since a state fails with a `LoadFailure` of the code
  /// ``LoadFailure/Code/unknownState``; then the list is read again where the user is. A retryable failure of the code
  /// ``LoadFailure/Code/timeout`` or ``LoadFailure/Code/malformedResponse`` is the list's failure until a stream has given a
  /// value. After any other end the list stands still until it is refreshed.
  ///
  /// - Parameters:
  ///   - path: the list.
  ///   - pace: the shortest time between two steps in which changes of the source are listed; nil for that of the list's
  ///     options.
  ///   - perform: makes the stream.
  public func follow<Item>(
    _ path: WritableKeyPath<State, Paged<Item>>, atMostEvery pace: Duration? = nil,
    _ perform: @escaping (WatchRequest) -> Observable<SourceChanges<Item>>
  ) {
    let pace = pace ?? state[keyPath: path].core.value.declaration.options.livePace.duration
    func followed(_ list: Paged<Item>) -> Paged<Item> {
      var list = list
      list.step { $0.follow(isPaced: pace > .zero) }
      return list
    }
    change { $0[keyPath: path] = followed($0[keyPath: path]) }
    prepare(path, unless: \.isLive, by: followed)
    follow(path, as: "changed", pausing(perform))
    on(path.appending(path: \.pace), after: pace, isAwaited: false) { $0[keyPath: path].endPause() }
    on(path.appending(path: \.rest), after: pace, isAwaited: false) { $0[keyPath: path].endRest() }
  }

  /// Makes streams, each after a pause if the two before failed as soon as they were asked for: half a second, doubled up to
  /// 8 s. Otherwise a stream that always fails at once would be asked for without end.
  private func pausing<Subject, Event>(
    _ perform: @escaping (Subject) -> Observable<Event>
  ) -> (Subject) -> Observable<Event> {
    let clock = clock
    var (failures, asked) = (0, Duration.zero)
    return { subject in
      let stream = Observable<Event>.deferred {
        asked = clock.now
        return perform(subject)
      }.do(onNext: { _ in failures = 0 }) { _ in
        failures = clock.now - asked < .milliseconds(100) ? failures + 1 : 0
      }
      guard failures > 1 else { return stream }
      return Observable<Int>.timer(.milliseconds(500) * (1 << min(failures - 2, 4)), on: clock).flatMap { _ in stream }
    }
  }
}
