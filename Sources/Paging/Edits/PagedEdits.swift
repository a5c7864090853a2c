public import Flow

/// The edits that a ``Paged`` sends to its source. They are sent at once and in order, independent of loads.
///
/// ```swift
/// state.on(input.remove) { $0.articles.remove($1) }
/// state.react(to: \.articles.edits) { edit in
///   switch edit {
///   case .insert(let article, _): api.add(article)
///   case .update(let article): api.change(article)
///   case .remove(let id): api.delete(id)
///   case .marked(let items, let set): api.edit(items, set)
///   }
/// }
/// ```
/// An edit that was sent continues even if nobody subscribes to the state any more.
public struct PagedEdits<Item> {
  private let sent: SentEdits
  /// The failure that stands, of a load or an edit.
  public let failure: Failure?
  /// The source's answers that the list hasn't handled yet.
  private(set) var answers: [SentEdits.Answer] = []

  init(_ core: ListCore) { (sent, failure) = (core.sent, core.loads.failures.shown) }
}

extension PagedEdits: Effect {
  /// Changes whenever an edit is sent or answered.
  public var revision: Int { sent.revision }
  /// All unanswered edits.
  public var wanted: WantedNumbers { .each(sum: sent.sum) }
  /// True: edits continue without subscribers.
  public var outlivesSubscribers: Bool { true }

  /// The edit with a number, as it is sent to the source.
  public func request(_ number: Int) -> Edit<Item>? { sent.requests[UInt(number)]?.asked as? Edit<Item> }

  /// The number of the next unanswered edit after another one.
  public func wantedNumber(after number: Int) -> Int? {
    sent.requests.first(after: UInt(number)).map { Int($0.number) }
  }

  /// The result of an edit if the source's answer has none.
  public static var emptyResponse: EditResult? { EditResult() }

  /// Receives the answer that the source made an edit.
  ///
  /// - Throws: a `LoadFailure` if the answer was faulty; the edit counts as made.
  public mutating func receive(_ result: EditResult, of number: Int) throws {
    if sent.requests[UInt(number)] == nil { return }
    answers.append(SentEdits.Answer(number: number, result: result))
    if let failure = result.failure { throw failure }
  }

  /// Receives the end of an edit without an answer: the source refused it, or it was given up. The edit is undone. If
  /// the edit was answered before, the failure is a fault in that answer.
  public mutating func end(_ number: Int, failure: Failure?) {
    answers.append(SentEdits.Answer(number: number, result: nil, failure: failure))
  }
}

extension Feedback {
  /// Connects a list's edits with a function that makes them. It returns a stream that completes when the edit is made,
  /// or fails.
  ///
  /// It is inlined, so that the code that runs the edits is compiled for the type of the state. Otherwise each answer
  /// would cost 20 % more.
  @inlinable
  public func react<Item>(
    to path: WritableKeyPath<State, PagedEdits<Item>>, _ make: @escaping (Edit<Item>) -> Observable<Void>
  ) {
    react(to: path) { edit -> Observable<EditResult> in make(edit).map { EditResult() } }
  }

  /// Connects a list's edits with asynchronous code that makes them. It returns when the edit is made, or throws.
  @inlinable
  public func react<Item: Sendable>(
    to path: WritableKeyPath<State, PagedEdits<Item>>, _ make: @escaping @Sendable (Edit<Item>) async throws -> Void
  ) {
    react(to: path) { edit async throws -> EditResult in
      try await make(edit)
      return EditResult()
    }
  }
}
