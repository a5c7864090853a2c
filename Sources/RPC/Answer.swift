package import WireJSON

/// How a call is answered. An error is thrown instead.
package enum Answer {
  /// `{}`: there is nothing to say.
  case empty
  /// The result, written when its turn comes; it must be an object.
  case result((inout JSONWriter) -> Void)
  /// Later: the closure gets what to answer with, and gives back how to cancel. It runs at once, and never for a
  /// notification, which has no answer.
  case later((Reply) -> (() -> Void))
}
