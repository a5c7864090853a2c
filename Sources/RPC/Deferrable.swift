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
  /// Which of its places in the queue counts: the newest. Kept by the peer; 0 takes it out of the queue.
  var place: Int { get set }
}
