public import Flow
internal import WireJSON

extension Feedback {
  /// Keeps a list up to date with the changes that its source reports, from the first load on.
  ///
  /// ```swift
  /// state.follow(\.articles) { request in api.changes(of: request.query, since: request.state) }
  /// state.react(to: \.articles) { request in api.articles(request) }
  /// ```
  /// The first value of the stream confirms the watch and has the source's current state. If the request has a state,
  /// this value also has the changes since then. Each later value reports further changes.
  ///
  /// If the stream fails, the result depends on the failure:
  ///
  /// - After a retryable failure, the stream is requested again, from the list's current state.
  /// - If the code of a retryable failure is ``LoadFailure/Code/timeout`` or ``LoadFailure/Code/malformedResponse``,
  ///   the stream is requested again without a state, and the list reloads. The failure is the list's failure until a
  ///   stream emits a value.
  /// - After the code ``LoadFailure/Code/unknownState``, the list reloads the rows in sight. Use this code if the
  ///   changes since the requested state are unknown.
  /// - After any other failure, and after the stream's end, the list receives no more changes until it is refreshed.
  ///
  /// - Parameters:
  ///   - path: the list.
  ///   - pace: the shortest time between two steps in which reported changes are listed; nil for that of the list's
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

  /// Delays streams, if the two streams before failed within 100 ms: by half a second, doubled up to 8 s. Otherwise a
  /// stream that always fails at once would be requested endlessly.
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
