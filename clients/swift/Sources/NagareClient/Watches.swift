internal import Nagare
internal import Reactor

/// Who looks for what in the client's sources, on the loop's thread.
final class Watches {
  private let loop: EventLoop
  private let say: (RawJSON) -> Void
  private var running: [String: SerialDisposable] = [:]

  /// - Parameters:
  ///   - loop: where all of it happens.
  ///   - say: takes what `source/changed` says.
  init(on loop: EventLoop, say: @escaping (RawJSON) -> Void) { (self.loop, self.say) = (loop, say) }

  /// Somebody looks: what happens is said from then on.
  func begin(_ params: RawJSON) -> SerialDisposable {
    end(params)
    let place = SerialDisposable()
    running[Watches.name(params)] = place
    return place
  }

  /// Says what happens, until nobody looks any more.
  func follow(_ watched: SourceWatched, _ params: RawJSON, in place: SerialDisposable) {
    var since = watched.state
    place.disposable = watched.steps(loop).subscribe(
      onNext: { [say] step in
        let said: [(name: String, value: RawJSON?)] = [
          ("source", params.member("source")), ("query", params.member("query")), ("filters", params.member("filters")),
          ("since", since?.json), ("state", step.state?.json), ("total", step.total?.json), ("changes", step.changes),
        ]
        say(RawJSON(members: said.compactMap { name, value in value.map { (name, $0) } }))
        since = step.state ?? since
      }, onError: { _ in })
  }

  /// Nobody looks any more.
  func end(_ params: RawJSON) { running.removeValue(forKey: Watches.name(params))?.dispose() }

  /// There is nobody any more who could look.
  func endAll() {
    for place in running.values { place.dispose() }
    running = [:]
  }

  private static func name(_ params: RawJSON) -> String {
    ["source", "query", "filters"].map { params.member($0)?.text ?? "null" }.joined(separator: " ")
  }
}
