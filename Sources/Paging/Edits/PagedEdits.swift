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

  /// Receives the answer that the source has made an edit.
  public mutating func receive(_ response: Void, of number: Int) { answer(number, isMade: true) }

  /// Receives the answer that the source refuses an edit, or gives an edit up: it is undone.
  public mutating func end(_ number: Int, failure: Failure?) { answer(number, isMade: false, failure) }

  private mutating func answer(_ number: Int, isMade: Bool, _ failure: Failure? = nil) {
    if sent.requests[UInt(number)] == nil { return }
    answers.append(SentEdits.Answer(number: number, isMade: isMade, failure: failure))
  }
}
