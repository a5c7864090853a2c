internal import WireJSON

/// The other side's limits for each message, from the response to `initialize`.
package struct ReaderLimits: Sendable {
  /// The maximum number of bytes in a message.
  package let messageSize: Int
  /// The deepest nesting of arrays and objects. The message itself counts as one level.
  package let depth: Int

  /// Makes limits.
  package init(messageSize: Int, depth: Int) { (self.messageSize, self.depth) = (messageSize, depth) }

  /// Checks a message against the limits. Returns the error if the other side can't read it; otherwise nil.
  func excess(of message: [UInt8]) -> RPCError? {
    if message.count > messageSize {
      return RPCError(
        .limitPassed,
        "the message has \(message.count) bytes, and the server reads \(messageSize) at most: send less at once, or start "
          + "the server with a higher --max-message-size",
        data: LimitErrorData(limit: "messageSize", max: messageSize))
    }
    // Each level takes two bytes.
    guard message.count / 2 > depth, isDeeper(message) else { return nil }
    return RPCError(
      .limitPassed,
      "the message nests arrays and objects deeper than \(depth), the most that the server reads: send a flatter value, or "
        + "start the server with a higher --max-depth",
      data: LimitErrorData(limit: "depth", max: depth))
  }

  private func isDeeper(_ message: [UInt8]) -> Bool {
    do throws(JSONError) {
      _ = try MemberScan(message.span, Envelope.names, maxDepth: depth)
      return false
    } catch {
      return true
    }
  }
}
