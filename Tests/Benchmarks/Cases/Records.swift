internal import Nagare
internal import WireJSON

/// Decodes and encodes records of five fields: with declared fields, and with the compiler's `Codable`. A repetition is
/// one record.
enum Records {
  private struct Declared: Record, Sendable {
    let id: String
    let sender: String
    let subject: String?
    let unread: Bool
    let size: Int

    static let fields = Fields(
      Declared.init, Field("id", \.id), Field("sender", \.sender), Field("subject", \.subject),
      Field("unread", \.unread), Field("size", \.size))
  }

  private struct Synthesized: Codable, Sendable {
    let id: String
    let sender: String
    let subject: String?
    let unread: Bool
    let size: Int
  }

  private static let text =
    #"{"id":"m1234","sender":"Mei Lin","subject":"Water for the garden","unread":true,"size":71234}"#

  static var cases: [Case] {
    [
      decoding("fields") { json in try Declared(json: json) },
      decoding("codable") { json in try json.decode(Synthesized.self) },
      encoding("fields", read(as: Declared.self)) { $0.json },
      encoding("codable", read(as: Synthesized.self)) { try RawJSON(encoding: $0) },
    ]
  }

  private static func decoding<Value>(_ way: String, _ decode: @escaping @Sendable (RawJSON) throws -> Value) -> Case {
    Case("records.decode.\(way)", repetitions: 200_000, counted: 10_000) {
      let (json, total) = (read(as: RawJSON.self), Total())
      return { repetitions in
        for _ in 0..<repetitions { if (try? decode(json)) != nil { total.add(1) } }
      }
    }
  }

  private static func encoding<Value: Sendable>(
    _ way: String, _ value: Value, _ encode: @escaping @Sendable (Value) throws -> RawJSON
  ) -> Case {
    Case("records.encode.\(way)", repetitions: 200_000, counted: 10_000) {
      let total = Total()
      return { repetitions in
        for _ in 0..<repetitions { total.add((try? encode(value))?.count ?? 0) }
      }
    }
  }

  private static func read<Value: Decodable>(as type: Value.Type) -> Value {
    do {
      return try RawJSON(text).decode()
    } catch {
      preconditionFailure("\(error)")
    }
  }
}
