internal import Reactor
public import Nagare

/// What somebody looks for in a source that is live.
public struct SourceWatch: Sendable {
  /// What is looked for; nil for everything.
  public let query: String?
  /// What is filtered and sorted by; nil where that is nothing.
  public let filters: Filters?
  /// The state from which on to tell, for a source that keeps states; nil for now.
  public let since: String?
}

/// What answers a watch: what has happened, and how to hear what happens.
public struct SourceWatched: Sendable {
  let state: String?
  let missed: [SourceChange]
  let steps: @Sendable (EventLoop) -> Observable<SourceStep>

  /// An answer.
  ///
  /// - Parameters:
  ///   - steps: what happens from now on. It is read until nobody looks any more; what it throws ends it.
  ///   - state: the state that the first of them leads from; nil where the source keeps none.
  ///   - missed: what has happened since the state that was asked for.
  public init<Steps: AsyncSequence & Sendable>(
    _ steps: Steps, state: String? = nil, missed: [SourceChange] = []
  ) where Steps.Element == SourceStep {
    self.state = state
    self.missed = missed
    self.steps = { .values(of: steps, on: $0) }
  }

  var answer: RawJSON {
    ["state": state?.json, "changes": missed.isEmpty ? nil : missed.json].compactMapValues(\.self).json
  }
}

/// What has happened to a source at one time.
public struct SourceStep: Sendable {
  let changes: RawJSON
  let state: String?
  let total: Int?

  /// Changes, in their order.
  ///
  /// - Parameters:
  ///   - changes: the changes.
  ///   - state: the state that they lead to; nil where the source keeps none.
  ///   - total: how many items there are in all by now, if that is known.
  public init(_ changes: SourceChange..., state: String? = nil, total: Int? = nil) {
    self.init(changes.json, state, total)
  }

  /// Nobody knows what has happened: the list is read again, where the user is.
  ///
  /// - Parameter state: the state that the source is in; nil where it keeps none.
  /// - Returns: the step.
  public static func everything(state: String? = nil) -> SourceStep { SourceStep("all".json, state, nil) }

  init(_ changes: RawJSON, _ state: String?, _ total: Int?) {
    (self.changes, self.state, self.total) = (changes, state, total)
  }
}

/// One thing that has happened to a source.
public struct SourceChange: JSONEncodable, Sendable {
  let json: RawJSON

  /// An item is there, or stands elsewhere: before or after the one with an id, or last; else where the `order` in the
  /// configuration puts it, and first where there is none.
  ///
  /// - Parameters:
  ///   - item: the item.
  ///   - before: the id of the item before which it stands.
  ///   - after: the id of the item after which it stands.
  ///   - atEnd: whether it is the last one.
  ///   - position: how many items come before it, if that is known: for lists that haven't read its neighbours.
  /// - Returns: the change.
  public static func insert(
    _ item: some JSONEncodable, before: ItemID? = nil, after: ItemID? = nil, atEnd: Bool = false, position: Int? = nil
  ) -> SourceChange {
    let members = [
      "insert": item.json, "before": before?.raw, "after": after?.raw, "at": atEnd ? "end".json : nil,
      "position": position?.json,
    ]
    return SourceChange(json: members.compactMapValues(\.self).json)
  }

  /// An item is another one from now on.
  ///
  /// - Parameter item: the item.
  /// - Returns: the change.
  public static func change(_ item: some JSONEncodable) -> SourceChange {
    SourceChange(json: ["change": item.json].json)
  }

  /// The item with an id is gone.
  ///
  /// - Parameters:
  ///   - id: the id.
  ///   - position: how many items came before it, if that is known: for lists that haven't read it.
  /// - Returns: the change.
  public static func remove(_ id: ItemID, position: Int? = nil) -> SourceChange {
    SourceChange(json: ["remove": id.raw, "position": position?.json].compactMapValues(\.self).json)
  }

  /// Writes the change.
  public func write(to writer: inout JSONWriter) { json.write(to: &writer) }
}

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
