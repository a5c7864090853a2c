/// The origin of a step, and of all work that the step begins.
@usableFromInline
package struct Origin {
  /// The name of the input.
  @usableFromInline let name: String
  /// The call that waits until everything that it caused is over; nil if no call waits.
  @usableFromInline let call: WaitingCall?

  @inlinable
  init(_ name: String, _ call: WaitingCall? = nil) {
    self.name = name
    self.call = call
  }

  /// The same call under another name.
  @inlinable
  func named(_ name: String) -> Origin { name.isEmpty ? self : Origin(name, call) }
}
