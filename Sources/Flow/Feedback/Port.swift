/// An input of a view model: clients send values to it, and the rules of a ``Feedback`` handle them.
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
  /// The name of the property that holds the port. Empty until its view opens.
  public package(set) var name: String {
    get { label.value }
    set { label.value = newValue }
  }
  @usableFromInline let label = Box("")
  /// Data for the server of this port, such as how its values are decoded.
  package let attachment: AnyObject?
  /// Handle each value, in this order, until one returns a refusal. Not checked for overlapping accesses. There are
  /// none: the array is read as a whole, and only appended to.
  @exclusivity(unchecked) @usableFromInline var rules: [(Value, Origin) -> (any Error)?] = []
  @usableFromInline let subject = PublishSubject<Value>()

  @usableFromInline
  package init(attachment: AnyObject? = nil) { self.attachment = attachment }

  /// The accepted values, as a stream.
  public var stream: Observable<Value> { subject.asObservable() }

  /// The accepted values, as a signal.
  public var signal: Signal<Value> {
    Signal(nil) { [subject] send, lifetime in subject.subscribers.add(Sink(next: send, end: { _ in }), lifetime) }
  }

  /// Forwards each value to an input of another view model. A refusal there is returned to the caller of this input.
  /// Work that the other view model begins belongs to the same call.
  public func forward(to port: Port) {
    unsafe rules.append { value, origin in port.receive(value, origin.named(port.name)) }
  }

  /// Adds a rule for values. The handler receives the call that waits, if any, and returns the refusal, if any.
  package func handle(_ handler: @escaping (Value, WaitingCall?) -> (any Error)?) {
    unsafe rules.append { value, origin in handler(value, origin.call) }
  }

  /// Handles a value. Returns the refusal; nil if the value was accepted. `answer` receives the outcome when everything
  /// that follows from the value is over. It isn't called if the value was refused.
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

  /// Removes the rules, because the view is closed.
  package func close() { unsafe rules = [] }
}

extension Port: ObservableConvertible {
  /// The accepted values.
  public func asObservable() -> Observable<Value> { stream }
}

extension Port: ObserverType {
  /// Handles the value of an event, for tests that feed events. Refusals and ends are ignored.
  @inlinable
  public func on(_ event: Event<Value>) {
    if let value = event.element { _ = receive(value, Origin(label.value)) }
  }
}

/// An input without a value.
public typealias Trigger = Port<Void>
