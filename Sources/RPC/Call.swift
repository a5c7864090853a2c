package import WireJSON

/// A method that the other side calls: a request, or a notification, which has no id.
package struct Call {
  /// The method's name.
  package let method: WireText
  /// The parameters, an object; nil where nothing was said. They share the memory of the input they came in: what is
  /// kept for long is better copied.
  package let params: RawJSON?
  /// The request's id as it was written; nil for a notification.
  package let id: RawJSON?

  /// Whether nobody waits for an answer.
  package var isNotification: Bool { id == nil }
}
