/// A type that is read from JSON in a way of its own. Any other `Decodable` type is read as its `init(from:)` has it:
/// see ``RawJSON/decode(_:unknownMembers:)``.
///
/// Conform by ``init(json:)``; types made of others report all that is wrong with their parts by
/// ``decode(_:in:)`` besides. A type of another module that conforms is read so wherever it stands:
/// ```swift
/// extension Date: @retroactive JSONDecodable {
///   public init(json: RawJSON) throws(DecodingFailure) {
///     guard let date = json.string.flatMap({ try? Date($0, strategy: .iso8601) }) else {
///       throw DecodingFailure(expected: "a date such as \"2026-11-21T08:15:00Z\"", in: json)
///     }
///     self = date
///   }
/// }
/// ```
public protocol JSONDecodable: Decodable, SendableMetatype {
  /// Reads a value.
  /// - Parameter json: The value as JSON.
  /// - Throws: The first ``DecodingFailure``.
  init(json: RawJSON) throws(DecodingFailure)

  /// Reads a value, reporting everything that is wrong with it.
  /// - Parameters:
  ///   - json: The value as JSON.
  ///   - context: Takes the failures.
  /// - Returns: The value; nil if something was reported that leaves none.
  static func decode(_ json: RawJSON, in context: inout DecodingContext) -> Self?

  /// What a missing member of this type means; nil where it must not be missing.
  static var valueWhenAbsent: Self? { get }
}

extension JSONDecodable {
  /// Reads a value by ``init(json:)``, which knows one failure at most.
  public static func decode(_ json: RawJSON, in context: inout DecodingContext) -> Self? {
    do throws(DecodingFailure) {
      return try Self(json: json)
    } catch {
      context.report(error)
      return nil
    }
  }

  /// Nil: the member is required.
  public static var valueWhenAbsent: Self? { nil }

  /// Reads a value by ``decode(_:in:)``, for types whose parts are decoded that way.
  /// - Parameter json: The value as JSON.
  /// - Returns: The value.
  /// - Throws: The first failure that was reported.
  static func decodeFirst(_ json: RawJSON) throws(DecodingFailure) -> Self { try read(json, .ignored) }

  static func read(
    _ json: RawJSON, _ unknownMembers: DecodingContext.UnknownMembers
  ) throws(DecodingFailure) -> Self {
    var context = DecodingContext(unknownMembers: unknownMembers)
    guard let value = decode(json, in: &context), context.failures.isEmpty else {
      throw context.failures.first ?? DecodingFailure(expected: "a valid value", in: json)
    }
    return value
  }
}

/// A type that is written as JSON in a way of its own. Any other `Encodable` type is written as its `encode(to:)` has it:
/// see ``RawJSON/init(encoding:)``.
public protocol JSONEncodable: Encodable, SendableMetatype {
  /// Whether the value stands for none, so that a record leaves its member out.
  var isAbsent: Bool { get }

  /// Writes the value.
  /// - Parameter writer: Takes one JSON value.
  func write(to writer: inout JSONWriter)
}

extension JSONEncodable {
  /// False: the value is written.
  public var isAbsent: Bool { false }

  /// The value as JSON.
  public var json: RawJSON {
    var writer = JSONWriter()
    write(to: &writer)
    return RawJSON(trusting: writer.bytes, 0..<writer.bytes.count)
  }
}

/// A type that says what its JSON looks like. Of any other `Decodable` type it is found out: see ``JSONSchema/init(of:)``.
public protocol JSONSchemaProviding: SendableMetatype {
  /// The type's JSON Schema.
  static var schema: JSONSchema { get }
}

/// A type that is read from JSON, written as JSON, and described by a JSON Schema.
public typealias JSONValue = JSONDecodable & JSONEncodable & JSONSchemaProviding
