public import Flow
public import WireJSON

extension Feedback {
  /// Connects a list in the state with its source. The source loads the pages, makes the edits that its capabilities
  /// allow, and reports its changes if it is live.
  ///
  /// ```swift
  /// struct State { var lines: Paged<Line> }
  /// // …
  /// let state = Feedback(State(lines: Paged(PagingOptions(), source: lines.capabilities)), on: clock)
  /// state.react(to: \.lines, by: lines)
  /// state.on(input.reachBottom) { $0.lines.next() }
  /// ```
  /// The list must have been created with the source's capabilities. ``PagedList`` does that as well, and loads the
  /// first page.
  ///
  /// - Parameters:
  ///   - path: the list.
  ///   - source: where the list's items come from.
  public func react<Item: Encodable>(to path: WritableKeyPath<State, Paged<Item>>, by source: Source<Item>) {
    connect(path, source) { source.write(encoding: $0) }
  }

  /// Connects a list of JSON items with its source. It is inlined, so that the code that runs the list's effects is
  /// compiled for the type of the state.
  @inlinable
  public func react(to path: WritableKeyPath<State, Paged<RawJSON>>, by source: Source<RawJSON>) {
    connect(path, source, source.write)
  }

  @inlinable
  func connect<Item>(
    _ path: WritableKeyPath<State, Paged<Item>>, _ source: Source<Item>,
    _ write: @escaping (Edit<Item>) -> Observable<EditResult>
  ) {
    if source.capabilities.live { follow(path, source.changes) }
    react(to: path, source.load)
    react(to: path.appending(path: \.edits), write)
    holdEdits(of: path)
  }
}
