internal import Flow

extension Observable {
  /// A state written with streams only, for comparison with feedbacks. Emits the current state, and the state after
  /// each event. The events may depend on the states.
  static func folding<Event>(
    _ initial: Element, _ fold: @escaping (inout Element, Event) -> Void,
    _ events: @escaping (Observable<Element>) -> Observable<Event>
  ) -> Observable<Element> {
    .create { observer in
      let states = BehaviorSubject(initial)
      var (state, waiting, isEmitting) = (initial, [Event](), false)
      let subscription = states.asObservable().subscribe(onNext: observer.onNext)
      let input = events(states.asObservable()).subscribe(onNext: { event in
        waiting.append(event)
        // An event that arrives while a state is being sent waits until all subscribers have that state.
        guard !isEmitting else { return }
        isEmitting = true
        while !waiting.isEmpty {
          fold(&state, waiting.removeFirst())
          states.onNext(state)
        }
        isEmitting = false
      })
      return AnyDisposable {
        input.dispose()
        subscription.dispose()
      }
    }
  }
}
