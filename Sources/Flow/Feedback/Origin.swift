/// Where a step comes from, and with it all the work that the step begins.
@usableFromInline
package struct Origin {
  /// The name of the input.
  @usableFromInline let name: String
  /// The call, if it waits until all is over.
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
