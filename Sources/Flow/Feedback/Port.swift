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
  @exclusivity(unchecked) @usableFromInline var rules: [(Value, Origin) -> (any Error)?] = []
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
    unsafe rules.append { value, origin in port.receive(value, origin.named(port.name)) }
  }

  /// Adds a rule for values. The handler gets the call that waits, if any, and returns why the value is refused.
  package func handle(_ handler: @escaping (Value, WaitingCall?) -> (any Error)?) {
    unsafe rules.append { value, origin in handler(value, origin.call) }
  }

  /// Puts a value in; gives why it is refused, or nil where it is taken. `answer` takes what has become of all that
  /// follows from it, when that is over; nobody calls it where the value is refused.
  package func receive(_ value: Value, whenOver answer: ((Outcome) -> Void)? = nil) -> (any Error)? {
    guard let answer else { return receive(value, Origin(name)) }
    let call = WaitingCall(answer)
    call.hold()
    let error = receive(value, Origin(name, call))
    if error != nil { call.cancel() }
    call.release()
    return error
  }

  @inlinable
  func receive(_ value: Value, _ origin: Origin) -> (any Error)? {
    for rule in unsafe rules {
      if let error = rule(value, origin) { return error }
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
    if let value = event.element { _ = receive(value, Origin(label.value)) }
  }
}

/// An input that carries nothing.
public typealias Trigger = Port<Void>
