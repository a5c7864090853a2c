internal import Nagare
internal import WireJSON

/// A filter or query of a list: a value, or the key of a store that it follows.
enum ValueOrStoreKey<Value: JSONValue & Sendable>: JSONValue, Sendable {
  case value(Value)
  case following(StoreReference)

  init(json: RawJSON) throws(DecodingFailure) {
    if ValueOrStoreKey.isReference(json) {
      self = .following(try StoreReference(json: json))
      return
    }
    do throws(DecodingFailure) {
      self = .value(try Value(json: json))
    } catch {
      throw DecodingFailure(
        expected: "\(error.expected), or an object such as {\"store\": \"shopSearch.query\"}", in: json)
    }
  }

  static func decode(_ json: RawJSON, in context: inout DecodingContext) -> ValueOrStoreKey? {
    if isReference(json) { return StoreReference.decode(json, in: &context).map { .following($0) } }
    do throws(DecodingFailure) {
      return try ValueOrStoreKey(json: json)
    } catch {
      context.report(error)
      return nil
    }
  }

  /// If a value may be an object, an object without the field `store` is a value.
  private static func isReference(_ json: RawJSON) -> Bool {
    json.kind == .object && (!Value.schema.types.isEmpty || json.member("store") != nil)
  }

  func write(to writer: inout JSONWriter) {
    switch self {
    case .value(let value): value.write(to: &writer)
    case .following(let reference): reference.write(to: &writer)
    }
  }

  /// The store's key that is followed; nil if it is a value.
  var reference: Reference? { if case .following(let reference) = self { reference.store } else { nil } }

  static var schema: JSONSchema {
    var schema = JSONSchema()
    schema.anyOf = [StoreReference.schema, Value.schema]
    return schema
  }
}

/// A reference to a key of a store: `{"store": "shopSearch.query"}`.
struct StoreReference: Record, Sendable {
  let store: Reference

  static let fields = Fields(
    StoreReference.init, Field("store", \.store, "A store and one of its keys, separated by a dot."))
}
