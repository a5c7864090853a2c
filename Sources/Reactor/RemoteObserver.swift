public import Flow

/// An observer for other threads: what it is told from there, another one is told on the loop's thread.
///
/// ```swift
/// let readings = PublishSubject<Double>()
/// let remote = RemoteObserver(readings, on: loop)
/// sensor.start { reading in remote.onNext(reading) }  // called by a thread of the sensor's
/// ```
/// Events arrive in the order in which a thread sent them, each as a step of its own. The other observer is held until
/// this one goes away, wherever it does. It is background work: a program whose input has ended doesn't wait for its events,
/// unless a load is under way.
public final class RemoteObserver<Element: Sendable>: ObserverType, Sendable {
  private let mailbox: Mailbox
  private let number: Int

  /// Makes an observer for other threads, on the thread of the loop where who is told lives, such as a subject.
  public init(_ observer: some ObserverType<Element>, on loop: EventLoop) {
    mailbox = loop.mailbox
    number = loop.handles.add(Local(observer), isInBackground: true)
  }

  deinit { mailbox.send { [number] loop in loop.handles.remove(number) } }

  /// Has an event emitted. May be called from any thread.
  public func on(_ event: Event<Element>) {
    mailbox.send { [number] loop in (loop.handles[number] as? Local<Element>)?.on(event) }
  }
}

/// The observer that is told, whatever its type.
private final class Local<Element> {
  let on: (Event<Element>) -> Void

  init(_ observer: some ObserverType<Element>) { on = observer.on }
}
