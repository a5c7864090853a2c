internal import Nagare
internal import Reactor
internal import Synchronization

/// A reference to a connection that any thread can use. The connection ends when the last reference is released.
final class Handle: Sendable {
  let connection: Resident<Connection>

  init(_ connection: Resident<Connection>) { self.connection = connection }

  deinit { connection.moveOut() }

  /// Sends a request and waits for its result.
  ///
  /// - `take` converts the result on the loop's thread, before later messages are handled.
  /// - `late` receives a result that arrives although the caller was cancelled.
  /// - `prepare` is called before the request is sent.
  func request<Value: Sendable>(
    _ method: String, _ params: RawJSON, late: @escaping @Sendable (Connection, RawJSON) -> Void = { _, _ in },
    prepare: @escaping @Sendable (Connection) -> Void = { _ in },
    take: @escaping @Sendable (Connection, RawJSON) throws -> Value
  ) async throws -> Value {
    let ticket = Ticket()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        connection.perform { connection in
          prepare(connection)
          connection.request(method, params, ticket) { [unowned connection] result in
            continuation.resume(with: result.flatMap { value in Result { try take(connection, value) } })
          } late: { [unowned connection] result in
            late(connection, result)
          }
        }
      }
    } onCancel: {
      ticket.cancel()
      connection.perform { $0.cancel(ticket) }
    }
  }

  func request(_ method: String, _ params: RawJSON = .emptyObject) async throws -> RawJSON {
    try await request(method, params) { _, result in RawJSON(copying: result) }
  }

  /// Sends a request, and waits until everything that it started is finished. Returns the outcome.
  func call(_ method: String, _ params: RawJSON) async throws -> Outcome {
    try await request(method, params.adding("wait", true)) { _, result in
      guard let outcome = result.member("outcome")?.string.flatMap(Outcome.init) else {
        throw ProtocolError(description: "the server answered \"\(method)\" without an outcome: \(result.text)")
      }
      return outcome
    }
  }

  func notify(_ method: String, _ params: RawJSON) {
    connection.perform { $0.notify(method, params) }
  }
}

extension RawJSON {
  /// Returns the object with another value for one member.
  func replacing(_ name: String, with value: RawJSON) -> RawJSON {
    RawJSON(members: members.map { ($0.key.string, $0.key.string == name ? value : $0.value) })
  }

  /// Returns the object with one more member.
  func adding(_ name: String, _ value: some JSONEncodable) -> RawJSON {
    var writer = JSONWriter()
    writer.beginObject()
    for (name, value) in members {
      writer.key(name.string)
      writer.raw(value)
    }
    writer.key(name)
    value.write(to: &writer)
    writer.endObject()
    return RawJSON(trusting: writer.bytes, 0..<writer.bytes.count)
  }
}
