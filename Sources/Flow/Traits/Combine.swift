/// Combines two drivers. It sends one value per turn, even if both change. `transform` runs when at least one has
/// changed.
@inlinable
public func combine<A, B, Result: Equatable>(
  _ a: Driver<A>, _ b: Driver<B>, _ transform: @escaping (A, B) -> Result
) -> Driver<Result> {
  pair(a, b).map { transform($0.0, $0.1) }
}

/// Combines three drivers. It sends one value per turn, even if several change. `transform` runs when at least one has
/// changed.
@inlinable
public func combine<A, B, C, Result: Equatable>(
  _ a: Driver<A>, _ b: Driver<B>, _ c: Driver<C>, _ transform: @escaping (A, B, C) -> Result
) -> Driver<Result> {
  pair(pair(a, b), c).map { transform($0.0.0, $0.0.1, $0.1) }
}

/// Combines four drivers, in the same way as two.
@inlinable
public func combine<A, B, C, D, Result: Equatable>(
  _ a: Driver<A>, _ b: Driver<B>, _ c: Driver<C>, _ d: Driver<D>, _ transform: @escaping (A, B, C, D) -> Result
) -> Driver<Result> {
  pair(pair(a, b), pair(c, d)).map { transform($0.0.0, $0.0.1, $0.1.0, $0.1.1) }
}

/// Combines five drivers, in the same way as two.
@inlinable
public func combine<A, B, C, D, E, Result: Equatable>(
  _ a: Driver<A>, _ b: Driver<B>, _ c: Driver<C>, _ d: Driver<D>, _ e: Driver<E>,
  _ transform: @escaping (A, B, C, D, E) -> Result
) -> Driver<Result> {
  pair(pair(pair(a, b), pair(c, d)), e).map { values, e in
    transform(values.0.0, values.0.1, values.1.0, values.1.1, e)
  }
}

/// Combines six drivers, in the same way as two.
@inlinable
public func combine<A, B, C, D, E, F, Result: Equatable>(
  _ a: Driver<A>, _ b: Driver<B>, _ c: Driver<C>, _ d: Driver<D>, _ e: Driver<E>, _ f: Driver<F>,
  _ transform: @escaping (A, B, C, D, E, F) -> Result
) -> Driver<Result> {
  pair(pair(pair(a, b), pair(c, d)), pair(e, f)).map { values, last in
    transform(values.0.0, values.0.1, values.1.0, values.1.1, last.0, last.1)
  }
}

/// Pairs the values of two drivers.
@inlinable
func pair<A, B>(_ a: Driver<A>, _ b: Driver<B>) -> Driver<(A, B)> {
  Driver<(A, B)>(
    a.turn.joined(with: b.turn), read: { (a.read(), b.read()) },
    follow: { send in
      let first = Box<A?>(nil)
      let second = Box<B?>(nil)
      let hasChanged = Box(false)
      let checkFirst = a.follow { value in
        first.value = value
        hasChanged.value = true
      }
      let checkSecond = b.follow { value in
        second.value = value
        hasChanged.value = true
      }
      return {
        checkFirst()
        checkSecond()
        guard hasChanged.value, let first = first.value, let second = second.value else { return }
        hasChanged.value = false
        send((first, second))
      }
    })
}

extension SerialDisposable {
  /// Ends the current lifetime and begins a new one.
  @usableFromInline
  func renew() -> Lifetime {
    disposable = nil
    let lifetime = Lifetime()
    disposable = lifetime
    return lifetime
  }
}
