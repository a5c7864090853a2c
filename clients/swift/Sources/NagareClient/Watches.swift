internal import Nagare
internal import Reactor

/// The watches of the client's sources. They are used on the loop's thread.
final class Watches {
  private let loop: EventLoop
  private let send: (RawJSON) -> Void
  private var running: [String: SerialDisposable] = [:]

  /// Creates an empty set of watches.
  ///
  /// - Parameters:
  ///   - loop: the event loop on whose thread this runs.
  ///   - send: receives the params of each `source/changed` notification.
  init(on loop: EventLoop, send: @escaping (RawJSON) -> Void) { (self.loop, self.send) = (loop, send) }

  /// Begins a watch, and ends an earlier one with the same criteria.
  func begin(_ params: RawJSON) -> SerialDisposable {
    end(params)
    let place = SerialDisposable()
    running[Watches.name(params)] = place
    return place
  }

  /// Sends the changes of a source until the watch ends.
  func follow(_ watched: SourceWatched, _ params: RawJSON, in place: SerialDisposable) {
    var since = watched.state
    place.disposable = watched.steps(loop).subscribe(
      onNext: { [send] step in
        let said: [(name: String, value: RawJSON?)] = [
          ("source", params.member("source")), ("query", params.member("query")), ("filters", params.member("filters")),
          ("since", since?.json), ("state", step.state?.json), ("total", step.total?.json), ("changes", step.changes),
        ]
        send(RawJSON(members: said.compactMap { name, value in value.map { (name, $0) } }))
        since = step.state ?? since
      }, onError: { _ in })
  }

  /// Ends a watch.
  func end(_ params: RawJSON) { running.removeValue(forKey: Watches.name(params))?.dispose() }

  /// Ends all watches.
  func endAll() {
    for place in running.values { place.dispose() }
    running = [:]
  }

  private static func name(_ params: RawJSON) -> String {
    ["source", "query", "filters"].map { params.member($0)?.text ?? "null" }.joined(separator: " ")
  }
}
