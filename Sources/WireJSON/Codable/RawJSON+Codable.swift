extension RawJSON {
  /// Reads a value of any `Decodable` type.
  ///
  /// Its optional fields may be absent or null. Of duplicate fields the last counts. A number with an integer value is
  /// an integer, so `3.0` is one.
  /// - Parameters:
  ///   - type: The type.
  ///   - unknownMembers: How to treat fields that the type doesn't decode.
  /// - Returns: The value.
  /// - Throws: The first ``DecodingFailure``. Only ``JSONDecodable`` types report all failures. An `init(from:)` may
  ///   try several alternatives, so only the type itself can decide which error counts.
  public func decode<Value: Decodable>(
    _ type: Value.Type = Value.self, unknownMembers: DecodingContext.UnknownMembers = .ignored
  ) throws(DecodingFailure) -> Value {
    try ValueDecoder.read(self, unknownMembers: unknownMembers)
  }

  /// Reads a value of a ``JSONDecodable`` type, which needs no decoder.
  public func decode<Value: JSONDecodable>(
    _ type: Value.Type = Value.self, unknownMembers: DecodingContext.UnknownMembers = .ignored
  ) throws(DecodingFailure) -> Value {
    try Value.read(self, unknownMembers)
  }

  /// Writes a value of any `Encodable` type. Optional fields that are nil are omitted. Infinity and NaN, which JSON
  /// doesn't have, are written as null.
  ///
  /// It throws if the type's `encode(to:)` does, or the value is nested too deep.
  public init(encoding value: some Encodable) throws(EncodingFailure) {
    if let value = value as? any JSONEncodable {
      self = value.json
      return
    }
    let bytes = try ValueEncoder.bytes(of: value)
    self.init(trusting: bytes)
  }
}

// MARK: - JSONDecodable and JSONEncodable types in other coders

extension JSONDecodable {
  /// Reads the value through a decoder of any kind.
  public init(from decoder: any Decoder) throws { self = try decoder.whole() }
}

extension JSONEncodable {
  /// Writes the value through an encoder of any kind.
  public func encode(to encoder: any Encoder) throws { try encoder.fill(with: self) }
}

extension Decoder {
  func whole<Value: JSONDecodable>() throws -> Value {
    if let decoder = self as? ValueDecoder { return try decoder.decode(Value.self) }
    return try Value(json: RawJSON(transcribing: self))
  }
}

extension Encoder {
  func fill(with value: some JSONEncodable) throws {
    if let encoder = self as? ValueEncoder { try encoder.encode(value) } else { try value.json.transcribe(to: self) }
  }
}

extension RawJSON {
  /// Reads any JSON value through a decoder of another module, such as Foundation's.
  fileprivate init(transcribing decoder: any Decoder) throws {
    if let object = try? [String: RawJSON](from: decoder) {
      self = object.json
    } else if let array = try? [RawJSON](from: decoder) {
      self = array.json
    } else {
      let scalar = try decoder.singleValueContainer()
      let bool = try? scalar.decode(Bool.self).json
      let number = try? (try? scalar.decode(Int.self).json) ?? scalar.decode(Double.self).json
      self = try scalar.decodeNil() ? .null : bool ?? number ?? scalar.decode(String.self).json
    }
  }

  /// Writes the value through an encoder of another module.
  fileprivate func transcribe(to encoder: any Encoder) throws {
    switch kind {
    case .object:
      var container = encoder.container(keyedBy: AnyKey.self)
      for (name, value) in members { try container.encode(value, forKey: AnyKey(name.string)) }
    case .array: try Array(elements).encode(to: encoder)
    case .string, .number, .bool, .null:
      var container = encoder.singleValueContainer()
      let scalar: (any Encodable)? = string ?? int ?? double ?? bool
      if let scalar { try container.encode(scalar) } else { try container.encodeNil() }
    }
  }
}
