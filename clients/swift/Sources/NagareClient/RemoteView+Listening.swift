public import Nagare

// How a view is heard.

extension RemoteView {
  /// What an output says from now on: first what is current, then each change.
  ///
  /// To one who reads slowly comes the latest value of a state, and the older ones are passed over. Events come all, each
  /// once; past 10,000 of them that wait, ``TooManyEvents`` is thrown. It ends when the view is closed, and throws
  /// ``ServerDied`` if the server dies.
  ///
  /// - Parameter output: the output's name.
  /// - Returns: its values.
  public func values(_ output: String) -> AsyncThrowingStream<RawJSON, any Error> {
    kept.stream(output, holding: handle) { update, current in
      switch update {
      case .value(let json): json
      case .items: current.json(output)
      case .opened, .ended: nil
      }
    }
  }

  /// The views that this one opens from now on.
  ///
  /// - Returns: each, when it has been opened.
  public func navigations() -> AsyncThrowingStream<AnyRemoteView, any Error> {
    kept.stream("navigate", holding: handle) { [weak handle] update, _ in
      guard case .opened(let view) = update, let handle else { return nil }
      return AnyRemoteView(view, handle)
    }
  }

  /// Waits until something holds. It is asked now, and after each thing that is heard, so it misses nothing that is current
  /// for a moment only.
  ///
  /// ```swift
  /// try await inbox.until { try !$0.items.isEmpty }
  /// ```
  /// - Parameter condition: says whether it holds.
  /// - Throws: what the condition throws; ``ViewClosed`` if the view is closed before, ``ServerDied`` if the server dies.
  public func until(_ condition: @escaping @Sendable (RemoteView) throws -> Bool) async throws {
    let answer = Once()
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        answer.wait(continuation)
        answer.onEnd = kept.await { end in
          if answer.isGiven { return true }
          do {
            if try condition(self) { answer.give(.success(())) } else if let end { answer.give(.failure(end)) }
          } catch {
            answer.give(.failure(error))
          }
          return answer.isGiven
        }
      }
    } onCancel: {
      answer.give(.failure(CancellationError()))
    }
  }

  /// Waits until the view is closed, by whomever.
  ///
  /// - Throws: ``ServerDied`` if the server dies.
  public func untilClosed() async throws {
    try await until(\.isClosed)
    if let end = kept.end, !(end is ViewClosed) { throw end }
  }
}

extension ViewState {
  /// What somebody makes of what he hears. Who has hold of the stream has hold of the session; the listener, which the
  /// session knows, must not.
  func stream<Value: Sendable>(
    _ output: String, holding handle: Handle, _ read: @escaping @Sendable (Update, inout Current) throws -> Value?
  ) -> AsyncThrowingStream<Value, any Error> {
    let isLatest = self.read { $0.has(output) }
    let policy: AsyncThrowingStream<Value, any Error>.Continuation.BufferingPolicy =
      isLatest ? .bufferingNewest(1) : .bufferingOldest(EventBacklog.most)
    return AsyncThrowingStream(bufferingPolicy: policy) { continuation in
      let listener = Listener(output) { update, current in
        if case .ended(let error) = update { return continuation.finish(throwing: error) }
        do {
          guard let value = try read(update, &current) else { return }
          if case .dropped = continuation.yield(value), !isLatest {
            continuation.finish(throwing: TooManyEvents(output: output))
          }
        } catch {
          continuation.finish(throwing: error)
        }
      }
      continuation.onTermination = { _ in
        listener.stop()
        withExtendedLifetime(handle) {}
      }
      add(listener, replaying: isLatest)
    }
  }
}
