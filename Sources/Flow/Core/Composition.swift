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

  /// Lets go of streams, and keeps the compositions among them.
  private static func move(_ parts: inout [Observable<Element>], into orphans: inout [Composition]) {
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
