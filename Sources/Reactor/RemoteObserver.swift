public import Flow

/// An observer for other threads: what it is told from there, another one is told on the loop's thread.
///
/// ```swift
/// let readings = PublishSubject<Double>()
/// let remote = RemoteObserver(readings, on: loop)
/// sensor.start { reading in remote.onNext(reading) }  // called by a thread of the sensor's
/// ```
/// Events arrive in the order in which a thread sent them, each as a step of its own. The other observer is held until
/// this one goes away, wherever it does.
public final class RemoteObserver<Element: Sendable>: ObserverType, Sendable {
  private let mailbox: Mailbox
  private let number: Int

  /// Makes an observer for other threads. This is done on the loop's own.
  ///
  /// - Parameters:
  ///   - observer: who is told, such as a subject.
  ///   - loop: the loop on whose thread that one lives.
  public init(_ observer: some ObserverType<Element>, on loop: EventLoop) {
    mailbox = loop.mailbox
    number = loop.awaited.add(Local(observer))
  }

  deinit {
    mailbox.send { [number] loop in loop.awaited.remove(number) }
  }

  /// Has a value emitted. May be called from any thread.
  ///
  /// - Parameter element: the value.
  public func onNext(_ element: Element) { on(.next(element)) }

  /// Has the other observer end by failure. May be called from any thread.
  ///
  /// - Parameter error: the failure.
  public func onError(_ error: any Error) { on(.error(error)) }

  /// Has the other observer end well. May be called from any thread.
  public func onCompleted() { on(.completed) }

  /// Has an event emitted. May be called from any thread.
  ///
  /// - Parameter event: a value or the end.
  public func on(_ event: Event<Element>) {
    mailbox.send { [number] loop in (loop.awaited[number] as? Local<Element>)?.on(event) }
  }
}

/// The observer that is told, whatever its type.
private final class Local<Element> {
  let on: (Event<Element>) -> Void

  init(_ observer: some ObserverType<Element>) { on = observer.on }
}
