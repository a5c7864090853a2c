/// What a step follows from, and so all the work that the step begins.
@usableFromInline
package struct Cause {
  /// The name of the input.
  @usableFromInline let name: String
  /// The call, if it waits until all is over.
  @usableFromInline let call: WaitingCall?

  @inlinable
  init(_ name: String, _ call: WaitingCall? = nil) {
    self.name = name
    self.call = call
  }

  /// The same cause under another name.
  @inlinable
  func named(_ name: String) -> Cause { name.isEmpty ? self : Cause(name, call) }
}
