public import WireJSON

/// An output with a current value that waits to be said: what is written is its value at the time of writing.
///
/// While the other side reads slowly, a newer value takes the place of an unsent one.
public protocol Deferrable: AnyObject {
  /// Writes the whole message as it is now.
  ///
  /// - Parameter writer: takes the message.
  /// - Returns: false if there is nothing to say after all.
  func writeMessage(to writer: inout JSONWriter) -> Bool
}
