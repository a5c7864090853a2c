public import Flow

/// The edits of a ``Paged`` that its source is to make: work that is separate from its pages, sent at once and in order.
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
/// An edit that was sent goes on when nobody listens to the state any more.
public struct PagedEdits<Item> {
  private let sent: SentEdits
  /// The failure that stands, of a load or an edit.
  public let failure: Failure?
  /// The answers that the list hasn't received.
  private(set) var answers: [SentEdits.Answer] = []

  init(_ core: ListCore) { (sent, failure) = (core.sent, core.loads.failures.shown) }
}

extension PagedEdits: Effect {
  /// A new one after each edit that is sent or answered.
  public var revision: Int { sent.revision }
  /// All that aren't answered.
  public var wanted: WantedNumbers { .each(sum: sent.sum) }
  /// True: an edit is made whether or not anybody looks at it.
  public var outlivesSubscribers: Bool { true }

  /// What the source is to do.
  public func request(_ number: Int) -> Edit<Item>? { sent.requests[UInt(number)]?.asked as? Edit<Item> }

  /// The edit that was sent next after another one, of those that aren't answered.
  public func wantedNumber(after number: Int) -> Int? {
    sent.requests.first(after: UInt(number)).map { Int($0.number) }
  }

  /// What an edit has made of its item if the source doesn't say.
  public static var emptyResponse: EditResult? { EditResult() }

  /// Receives the answer that the source has made an edit.
  ///
  /// - Throws: a `LoadFailure` of what was wrong with the answer; the edit was made all the same.
  public mutating func receive(_ result: EditResult, of number: Int) throws {
    if sent.requests[UInt(number)] == nil { return }
    answers.append(SentEdits.Answer(number: number, result: result))
    if let failure = result.failure { throw failure }
  }

  /// Receives the answer that the source refuses an edit, or gives an edit up: it is undone. A failure of an edit that was
  /// answered before is what was wrong with that answer.
  public mutating func end(_ number: Int, failure: Failure?) {
    answers.append(SentEdits.Answer(number: number, result: nil, failure: failure))
  }
}

extension Feedback {
  /// Connects a list's edits with what makes them: a stream that completes when the edit is made, or fails. It is inlined, so
  /// that what runs the edits is compiled for the state; otherwise each answer would cost a fifth more.
  @inlinable
  public func react<Item>(
    to path: WritableKeyPath<State, PagedEdits<Item>>, _ make: @escaping (Edit<Item>) -> Observable<Void>
  ) {
    react(to: path) { edit -> Observable<EditResult> in make(edit).map { EditResult() } }
  }

  /// Connects a list's edits with asynchronous code that makes them: it returns when the edit is made, or throws.
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
