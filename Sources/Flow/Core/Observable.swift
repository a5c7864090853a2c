/// What a source or an operator feeds: where values go, and where the end goes.
@usableFromInline
struct Sink<Element> {
  /// Takes a value.
  @usableFromInline let next: (Element) -> Void
  /// Takes the end: nil when it is success.
  @usableFromInline let end: ((any Error)?) -> Void

  @inlinable
  init(next: @escaping (Element) -> Void, end: @escaping ((any Error)?) -> Void) {
    self.next = next
    self.end = end
  }
}

/// A stream: values over time to whoever subscribes, with the meaning ReactiveX gives it.
///
/// Nothing happens until somebody subscribes, and each subscriber starts it again, unless the stream comes from a subject
/// or is shared. Streams live on one thread, without locks and without queues: an event has reached everybody when the
/// call that emitted it returns.
///
/// ```swift
/// let words = PublishSubject<String>()
/// let bag = DisposeBag()
/// words.map(\.count).scan(0, +).subscribe(onNext: { print($0) }).disposed(by: bag)
/// words.onNext("so")  // prints 2
/// words.onNext("far")  // prints 5
/// ```
public struct Observable<Element> {
  /// How to subscribe. Streams known by heart let `flatMap` and its kin do without a subscription, a value that can be
  /// asked for lets `withLatestFrom` do without one, and those made of others show what they are made of.
  @usableFromInline
  enum Source {
    case just(Element)
    case empty
    case never
    case error(any Error)
    case stream((Sink<Element>, Lifetime) -> Void)
    case state(current: () -> Element, stream: (Sink<Element>, Lifetime) -> Void)
    case composed(Composition<Element>)
  }

  @usableFromInline let source: Source

  @inlinable
  init(source: Source) { self.source = source }

  /// A stream that feeds the sink of each subscriber, by the rules of ``Lifetime``.
  @inlinable
  init(_ run: @escaping (Sink<Element>, Lifetime) -> Void) { source = .stream(run) }

  /// Subscribes a sink for a life that somebody else disposes of.
  @inlinable
  func run(_ sink: Sink<Element>, _ lifetime: Lifetime) {
    guard lifetime.isActive else { return }
    switch source {
    case .just(let element):
      sink.next(element)
      if lifetime.isActive { sink.end(nil) }
    case .empty: sink.end(nil)
    case .never: break
    case .error(let error): sink.end(error)
    case .stream(let run), .state(_, let run): run(sink, lifetime)
    case .composed(let composition): composition.subscribe(composition, sink, lifetime)
    }
  }
}

/// What can be taken for a stream: an ``Observable``, or a subject. Every operator can be called on it.
public protocol ObservableConvertible<Element> {
  /// What its values are.
  associatedtype Element

  /// The stream.
  func asObservable() -> Observable<Element>
}

extension Observable: ObservableConvertible {
  /// The stream itself.
  @inlinable
  public func asObservable() -> Observable<Element> { self }
}

extension ObservableConvertible {
  /// Subscribes.
  ///
  /// - Parameters:
  ///   - onNext: takes each value.
  ///   - onError: takes the failure that ends the stream, if one does.
  ///   - onCompleted: is told that the stream ended well, if it does.
  /// - Returns: what ends the subscription. Letting it go does not; a ``DisposeBag`` does when it goes away.
  @inlinable
  public func subscribe(
    onNext: ((Element) -> Void)? = nil, onError: ((any Error) -> Void)? = nil, onCompleted: (() -> Void)? = nil
  ) -> any Disposable {
    let lifetime = Lifetime()
    let onNext = onNext ?? { _ in }
    let sink = Sink<Element> { element in
      if lifetime.isActive { onNext(element) }
    } end: { failure in
      guard lifetime.isActive else { return }
      lifetime.end()
      if let failure {
        onError?(failure)
      } else {
        onCompleted?()
      }
      lifetime.dispose()
    }
    asObservable().run(sink, lifetime)
    return lifetime
  }

  /// Subscribes one closure to values and end alike, as ``subscribe(onNext:onError:onCompleted:)`` does.
  @inlinable
  public func subscribe(_ onEvent: @escaping (Event<Element>) -> Void) -> any Disposable {
    subscribe { element in
      onEvent(.next(element))
    } onError: { error in
      onEvent(.error(error))
    } onCompleted: {
      onEvent(.completed)
    }
  }
}

extension ObservableConvertible {
  /// The shape of most operators: the source's end is the result's, and its values go to a closure, which is made for each
  /// subscriber and so may keep what it counts.
  @inlinable
  func eachValue<Result>(_ receiver: @escaping (Sink<Result>) -> (Element) -> Void) -> Observable<Result> {
    let source = asObservable()
    return Observable<Result> { sink, lifetime in
      source.run(Sink(next: receiver(sink), end: sink.end), lifetime)
    }
  }
}

extension Sink {
  /// Passes the source's end on. Before it completes, what there is to be emitted at last is.
  @inlinable
  func end(_ failure: (any Error)?, _ lifetime: Lifetime, afterLast emitLast: () -> Void) {
    if failure == nil { emitLast() }
    if lifetime.isActive { end(failure) }
  }
}

/// The life of a subscription, passed from the subscriber up to the source.
///
/// Streams are chains of closures that no object stands for; what they share is a lifetime. The rules that make the
/// grammar of ``Event`` hold:
///
/// - A source emits only while the lifetime it was given is active, and ends at most once.
/// - What a source or an operator must release (a timer, a place in a subject's list) it adds to the lifetime.
/// - An operator that passes each end on hands its own lifetime up. One that swallows an end, ends early, or has
///   several sources hands each of them a child, and disposes of the child before it goes on.
/// - Whoever subscribes makes the root, and disposes of it after the end was delivered.
@usableFromInline
final class Lifetime: Disposable {
  @usableFromInline
  enum Phase {
    case active, ended, disposed
  }

  /// Read at every event, and only ever read or written whole: see ``Box``.
  @exclusivity(unchecked)
  @usableFromInline
  var phase = Phase.active
  private var resource: (any Disposable)?
  private var moreResources: [any Disposable] = []
  private var children: [Lifetime] = []
  /// Where this is among its parent's children.
  private var slot = 0

  @usableFromInline
  init() {}

  /// One that is over.
  static var disposed: Lifetime {
    let lifetime = Lifetime()
    lifetime.dispose()
    return lifetime
  }

  /// False as soon as the subscriber was told the end, or called the subscription off.
  @inlinable
  var isActive: Bool { unsafe phase == .active }

  /// Takes charge of something that must be released with this life; of something that comes too late, at once.
  @usableFromInline
  func add(_ disposable: any Disposable) {
    if unsafe phase == .disposed {
      disposable.dispose()
    } else if resource == nil {
      resource = disposable
    } else {
      moreResources.append(disposable)
    }
  }

  /// A life within this one.
  @usableFromInline
  func makeChild() -> Lifetime {
    let child = Lifetime()
    if isActive {
      child.slot = children.count
      children.append(child)
    } else {
      child.dispose()
    }
    return child
  }

  /// Disposes of a child, and keeps it no longer.
  @usableFromInline
  func drop(_ child: Lifetime) {
    if child.slot < children.count, children[child.slot] === child {
      let last = children.removeLast()
      if last !== child {
        last.slot = child.slot
        children[child.slot] = last
      }
    }
    child.dispose()
  }

  /// Says that the end is being delivered: nothing else may be.
  @inlinable
  func end() {
    if isActive { unsafe phase = .ended }
  }

  /// Releases everything, downstream before upstream and first come before last.
  @usableFromInline
  func dispose() {
    guard unsafe phase != .disposed else { return }
    unsafe phase = .disposed
    let (resource, more, children) = (self.resource, moreResources, self.children)
    self.resource = nil
    moreResources = []
    self.children = []
    resource?.dispose()
    for resource in more {
      resource.dispose()
    }
    for child in children {
      child.dispose()
    }
  }
}

/// A variable that closures share.
///
/// It is only read and written whole, never in place. That is what lets it do without the run-time check for
/// overlapping accesses, which would cost more than the access: nobody else's code runs between its start and its end.
/// Not even that of a value which goes away, since the old value is exchanged first and let go of after.
@usableFromInline
final class Box<Value> {
  @exclusivity(unchecked)
  @usableFromInline
  var storage: Value

  @inlinable
  init(_ value: Value) { unsafe storage = value }

  @inlinable
  var value: Value {
    get { unsafe storage }
    set {
      var value = newValue
      unsafe swap(&storage, &value)
    }
  }
}

/// Streams that make one, in turn or together: what `concat` and `merge` make.
///
/// A stream by name and no closure, so that those made of others of their kind, as by a loop that adds one after the
/// other, are seen through: however deep they hang, neither subscribing nor letting go deepens the stack.
@usableFromInline
final class Composition<Element> {
  @usableFromInline
  enum Order {
    case inTurn, together
  }

  @usableFromInline let order: Order
  @usableFromInline var parts: [Observable<Element>]
  /// Whether one of the parts is composed itself.
  @usableFromInline let isNested: Bool
  /// A closure, so that there is code for it only where streams of a type are composed, and not wherever one is run.
  @usableFromInline let subscribe: (Composition, Sink<Element>, Lifetime) -> Void

  @inlinable
  init(
    _ order: Order, _ parts: [Observable<Element>],
    _ subscribe: @escaping (Composition, Sink<Element>, Lifetime) -> Void
  ) {
    self.order = order
    self.parts = parts
    self.subscribe = subscribe
    isNested = parts.contains { if case .composed = $0.source { true } else { false } }
  }

  deinit {
    guard isNested else { return }
    var orphans: [Composition] = []
    Composition.take(&parts, into: &orphans)
    while !orphans.isEmpty {
      let last = orphans.count - 1
      var parts: [Observable<Element>] = []
      if isKnownUniquelyReferenced(&orphans[last]) {
        swap(&parts, &orphans[last].parts)
      }
      orphans.removeLast()
      Composition.take(&parts, into: &orphans)
    }
  }

  /// Lets go of streams, and keeps the compositions among them.
  private static func take(_ parts: inout [Observable<Element>], into orphans: inout [Composition]) {
    while let part = parts.popLast() {
      if case .composed(let composition) = part.source {
        orphans.append(composition)
      }
    }
  }

  /// The parts, and in place of those that are composed in the same order theirs.
  @inlinable
  var leaves: [Observable<Element>] {
    guard isNested else { return parts }
    var leaves: [Observable<Element>] = []
    var line = Array(parts.reversed())
    while let part = line.popLast() {
      if case .composed(let composition) = part.source, composition.order == order {
        line.append(contentsOf: composition.parts.reversed())
      } else {
        leaves.append(part)
      }
    }
    return leaves
  }
}
