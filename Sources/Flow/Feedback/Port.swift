/// An input of a view model: values are put in from outside, and the rules of a ``Feedback`` say what they mean.
///
/// ```swift
/// struct Input: Ports {
///   let refresh = Trigger()
///   let text = Port<String>("text")
/// }
/// // …
/// state.on(input.refresh) { $0.issue.start() }
/// state.on(input.text) { $0.text = $1 }
/// ```
public final class Port<Value> {
  /// What it is called: the name of the property that holds it, once its view is opened. Empty before.
  public package(set) var name: String {
    get { label.value }
    set { label.value = newValue }
  }
  @usableFromInline let label = Box("")
  /// What whoever serves it has to know, such as how its values are read.
  package let attachment: AnyObject?
  /// What is to be done with a value, in this order, until one refuses it.
  /// Not checked for overlapping accesses, of which there are none: it is read whole, and added to.
  @exclusivity(unchecked) @usableFromInline var rules: [(Value, Cause) -> (any Error)?] = []
  @usableFromInline let subject = PublishSubject<Value>()

  @usableFromInline
  package init(attachment: AnyObject? = nil) { self.attachment = attachment }

  /// The values that come in and aren't refused by a rule, as a stream.
  public var stream: Observable<Value> { subject.asObservable() }

  /// The values that come in and aren't refused by a rule, as a signal.
  public var signal: Signal<Value> {
    Signal(nil) { [subject] send, lifetime in subject.subscribers.add(Sink(next: send, end: { _ in }), lifetime) }
  }

  /// Passes each value on to an input of another view model. If that refuses it, whoever has put it in here is told;
  /// and work that the other view model begins is work of the same call.
  public func forward(to port: Port) {
    unsafe rules.append { value, cause in port.receive(value, cause.named(port.name)) }
  }

  /// Says what is done with a value, for the call that waits for it, if one does; gives why it is refused.
  package func take(_ take: @escaping (Value, WaitingCall?) -> (any Error)?) {
    unsafe rules.append { value, cause in take(value, cause.call) }
  }

  /// Puts a value in; gives why it is refused, or nil where it is taken. `answer` takes what has become of all that
  /// follows from it, when that is over; nobody calls it where the value is refused.
  package func receive(_ value: Value, whenOver answer: ((Outcome) -> Void)? = nil) -> (any Error)? {
    guard let answer else { return receive(value, Cause(name)) }
    let call = WaitingCall(answer)
    call.hold()
    let error = receive(value, Cause(name, call))
    if error != nil { call.cancel() }
    call.release()
    return error
  }

  @inlinable
  func receive(_ value: Value, _ cause: Cause) -> (any Error)? {
    for rule in unsafe rules {
      if let error = rule(value, cause) { return error }
    }
    if subject.hasObservers { subject.onNext(value) }
    return nil
  }

  /// Forgets what is to be done with values: the view is closed.
  package func close() { unsafe rules = [] }
}

extension Port: ObservableConvertible {
  /// The values that come in.
  public func asObservable() -> Observable<Value> { stream }
}

extension Port: ObserverType {
  /// Takes an event, as tests feed it: a value is put in, and refused values go by. An input has no end.
  @inlinable
  public func on(_ event: Event<Value>) {
    if let value = event.element { _ = receive(value, Cause(label.value)) }
  }
}

/// An input that carries nothing.
public typealias Trigger = Port<Void>

/// What has become of all the work that a call of an input has begun.
public enum Outcome: String, Sendable, Comparable, CaseIterable {
  /// It has begun no work.
  case nothing
  /// All of its work has finished.
  case finished
  /// Something newer has taken the place of some of its work, or nobody wants it any more.
  case dropped
  /// Some of its work has failed.
  case failed

  /// Whether another outcome counts more, where a call has both.
  public static func < (left: Outcome, right: Outcome) -> Bool { left.rank < right.rank }

  private var rank: Int {
    switch self {
    case .nothing: 0
    case .finished: 1
    case .dropped: 2
    case .failed: 3
    }
  }
}

/// What a step follows from, and so all the work that the step begins.
@usableFromInline
package struct Cause {
  /// The name of the input.
  @usableFromInline let name: String
  /// The call, if it waits until all is over.
  @usableFromInline let call: WaitingCall?

  @inlinable
  init(_ name: String, _ call: WaitingCall? = nil) {
    self.name = name
    self.call = call
  }

  /// The same cause under another name.
  @inlinable
  func named(_ name: String) -> Cause { name.isEmpty ? self : Cause(name, call) }
}

/// A call that is answered when all that it has begun is over.
@usableFromInline
package final class WaitingCall {
  private var holds = 0
  private var outcome = Outcome.nothing
  private var answer: ((Outcome) -> Void)?

  package init(_ answer: @escaping (Outcome) -> Void) { self.answer = answer }

  /// Keeps the answer back until a ``release()``.
  @usableFromInline
  package func hold() { holds += 1 }

  /// Notes what has become of some work.
  @usableFromInline
  func note(_ outcome: Outcome) { self.outcome = max(self.outcome, outcome) }

  /// Answers, if nothing keeps the answer back any more.
  @usableFromInline
  package func release() {
    holds -= 1
    guard holds == 0, let answer else { return }
    self.answer = nil
    answer(outcome)
  }

  /// Never answers.
  func cancel() { answer = nil }
}
