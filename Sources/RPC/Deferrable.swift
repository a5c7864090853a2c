package import WireJSON

/// An output of which only the newest state matters. While the other side reads slowly, the newest state replaces an
/// unsent one.
package protocol Deferrable: AnyObject {
  /// The position among the outputs that change in the same step.
  var order: Int { get }

  /// Ends a step in which the output was touched. It immediately sends what must not be lost. Returns whether its
  /// newest state must be written, too.
  func endStep(_ outbox: Outbox) -> Bool

  /// Writes the whole message in its current state, when the transport is ready for it. Returns false if there is
  /// nothing to send.
  func writeMessage(to writer: inout JSONWriter) -> Bool
}
