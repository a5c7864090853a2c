package import WireJSON

/// A call by the other side: a request, or a notification, which has no id.
package struct Call {
  /// The method's name.
  package let method: WireText
  /// The parameters, an object; nil if there are none. They share the memory of the received input, so copy what is
  /// kept for long.
  package let params: RawJSON?
  /// The request's id, as received; nil for a notification.
  package let id: RawJSON?

  /// Whether the call is a notification, which has no response.
  package var isNotification: Bool { id == nil }
}
