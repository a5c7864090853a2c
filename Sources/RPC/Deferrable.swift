package import WireJSON

/// An output of which only the newest state is worth sending: while the other side reads slowly, it takes the place of an
/// unsent one.
package protocol Deferrable: AnyObject {
  /// Its place among the outputs that change in one step.
  var order: Int { get }

  /// Ends a step in which it was touched: sends at once what must not be lost, and says whether its newest state is to
  /// be written as well.
  func endStep(_ outbox: Outbox) -> Bool

  /// Writes the whole message as it is now, when the transport is ready for it. False if there is nothing to send after
  /// all.
  func writeMessage(to writer: inout JSONWriter) -> Bool
}
