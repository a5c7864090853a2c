/// The lifetime of a subscription, passed from the subscriber up to the source.
///
/// A stream is a chain of closures without an object. All closures of one subscription share its lifetime. Four rules
/// guarantee the grammar of ``Event``:
///
/// - A source emits only while its lifetime is active, and ends at most once.
/// - A source or an operator adds what it must release to the lifetime: a timer, or its entry in a subject's list.
/// - An operator that forwards each end passes on its own lifetime. An operator that swallows an end, ends early or has
///   several sources gives each source a child, and disposes of that child before it continues.
/// - The subscriber makes the root, and disposes of it after it has received the end.
@usableFromInline
final class Lifetime: Disposable {
  @usableFromInline
  enum Phase {
    case active, ended, disposed
  }

  /// Read at every event, and accessed only as a whole: see ``Box``.
  @exclusivity(unchecked)
  @usableFromInline
  var phase = Phase.active
  private var resource: (any Disposable)?
  private var moreResources: [any Disposable] = []
  private var children: [Lifetime] = []
  /// The index of this lifetime in its parent's `children`.
  private var slot = 0

  @usableFromInline
  init() {}

  /// A lifetime that is already disposed of.
  static var disposed: Lifetime {
    let lifetime = Lifetime()
    lifetime.dispose()
    return lifetime
  }

  /// Whether the subscriber still wants events. False as soon as it received the end or was disposed of.
  @inlinable
  var isActive: Bool { unsafe phase == .active }

  /// Adds something that is released together with this lifetime. If the lifetime is disposed of, releases it
  /// immediately.
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

  /// Makes a lifetime that ends with this one at the latest.
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

  /// Disposes of a child and removes it from the list.
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

  /// Records that the end is being delivered. Nothing else may be delivered from then on.
  @inlinable
  func end() {
    if isActive { unsafe phase = .ended }
  }

  /// Releases everything: downstream resources before upstream ones, older resources before newer ones.
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
