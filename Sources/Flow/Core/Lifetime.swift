/// The life of a subscription, passed from the subscriber up to the source.
///
/// Streams are chains of closures without an object. The closures of one subscription share its lifetime. The rules that make the
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
