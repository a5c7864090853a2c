public import Flow

/// An observer for other threads. It forwards their events to another observer, on the loop's thread.
///
/// ```swift
/// let readings = PublishSubject<Double>()
/// let remote = RemoteObserver(readings, on: loop)
/// sensor.start { reading in remote.onNext(reading) }  // called by a thread of the sensor's
/// ```
/// Events arrive in the order in which a thread sent them, each in a separate step. The other observer is retained
/// until this one is deallocated, on any thread. A remote observer is background work: a program whose input has ended
/// doesn't wait for its events, unless a load is running.
public final class RemoteObserver<Element: Sendable>: ObserverType, Sendable {
  private let mailbox: Mailbox
  private let number: Int

  /// Makes an observer for other threads. Call it on the loop's thread, where `observer` lives, for example a subject.
  public init(_ observer: some ObserverType<Element>, on loop: EventLoop) {
    mailbox = loop.mailbox
    number = loop.handles.add(Local(observer), isInBackground: true)
  }

  deinit { mailbox.send { [number] loop in loop.handles.remove(number) } }

  /// Forwards an event. It can be called from any thread.
  public func on(_ event: Event<Element>) {
    mailbox.send { [number] loop in (loop.handles[number] as? Local<Element>)?.on(event) }
  }
}

/// The observer on the loop's thread, of any type.
private final class Local<Element> {
  let on: (Event<Element>) -> Void

  init(_ observer: some ObserverType<Element>) { on = observer.on }
}
