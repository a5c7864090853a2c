package import WireJSON

/// The response to a call. Errors are thrown instead.
package enum Answer {
  /// The empty result `{}`.
  case empty
  /// A result, which must be an object. The closure writes it when the response is sent.
  case result((inout JSONWriter) -> Void)
  /// A response that is sent later. The closure receives the ``Reply`` to send it with, and returns a closure that
  /// cancels the work. It runs immediately. It never runs for a notification, which has no response.
  case later((Reply) -> (() -> Void))
}
