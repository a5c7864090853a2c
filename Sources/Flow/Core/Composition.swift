/// The stream that `concat` or `merge` makes of several streams.
///
/// A loop that adds one stream after another nests compositions deeply. This doesn't deepen the call stack: the parts
/// are a list, not hidden in a closure, and subscribing and deallocating both walk the list.
@usableFromInline
final class Composition<Element> {
  @usableFromInline
  enum Order {
    case inTurn, together
  }

  @usableFromInline let order: Order
  @usableFromInline var parts: [Observable<Element>]
  /// Whether at least one part is itself a composition.
  @usableFromInline let isNested: Bool
  /// Subscribes to the composition. It is a closure, so the compiler emits its code only for types that are composed,
  /// not for every type whose streams are run.
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
    Composition.move(&parts, into: &orphans)
    while !orphans.isEmpty {
      let last = orphans.count - 1
      var parts: [Observable<Element>] = []
      if isKnownUniquelyReferenced(&orphans[last]) {
        swap(&parts, &orphans[last].parts)
      }
      orphans.removeLast()
      Composition.move(&parts, into: &orphans)
    }
  }

  /// Releases streams, and moves the compositions among them to `orphans`.
  private static func move(_ parts: inout [Observable<Element>], into orphans: inout [Composition]) {
    while let part = parts.popLast() {
      if case .composed(let composition) = part.source {
        orphans.append(composition)
      }
    }
  }

  /// The parts, with each part that is composed in the same order replaced by that part's own leaves.
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
