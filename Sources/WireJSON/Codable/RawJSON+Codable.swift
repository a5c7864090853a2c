extension RawJSON {
  /// Reads a value of any `Decodable` type.
  ///
  /// Its optional members may be absent or null; of duplicate members the last counts. A number is an integer by its
  /// value, so that `3.0` is one.
  /// - Parameters:
  ///   - type: The type.
  ///   - unknownMembers: What to do about members that nothing asks for.
  /// - Returns: The value.
  /// - Throws: The first ``DecodingFailure``. Only ``JSONDecodable`` types report all that is wrong: an `init(from:)` may
  ///   try one thing after the other, so that it is for itself to say which error counts.
  public func decode<Value: Decodable>(
    _ type: Value.Type = Value.self, unknownMembers: DecodingContext.UnknownMembers = .ignored
  ) throws(DecodingFailure) -> Value {
    try ValueDecoder(self, unknownMembers: unknownMembers).readAll()
  }

  /// Writes a value of any `Encodable` type. Optional members that are nil are left out; JSON has no infinity and no NaN,
  /// and null is written for them.
  /// - Parameter value: The value.
  /// - Throws: An ``EncodingFailure`` if the type's `encode(to:)` throws, or the value is nested too deep.
  public init(encoding value: some Encodable) throws(EncodingFailure) {
    if let value = value as? any JSONEncodable {
      self = value.json
      return
    }
    let encoder = ValueEncoder()
    try encoder.fill(with: value)
    self.init(trusting: encoder.bytes, 0..<encoder.bytes.count)
  }
}

extension JSONWriter {
  /// Writes a value of any `Encodable` type: see ``RawJSON/init(encoding:)``.
  /// - Parameter value: The value.
  /// - Throws: An ``EncodingFailure``. Nothing was written then.
  public mutating func encode(_ value: some Encodable) throws(EncodingFailure) {
    if let value = value as? any JSONEncodable {
      value.write(to: &self)
    } else {
      raw(try RawJSON(encoding: value))
    }
  }
}

// MARK: - Types with a way of their own, in others' coders

extension JSONDecodable {
  /// Reads the value from whatever a coder reads.
  public init(from decoder: any Decoder) throws { self = try decoder.whole() }
}

extension JSONEncodable {
  /// Writes the value into whatever a coder writes.
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
  /// Reads what a coder of another module has, such as Foundation's.
  fileprivate init(transcribing decoder: any Decoder) throws {
    if let members = try? decoder.container(keyedBy: AnyKey.self) {
      self = try members.allKeys.reduce(into: [:]) { object, key in
        object[key.stringValue] = try members.decode(RawJSON.self, forKey: key)
      }.json
    } else if var elements = try? decoder.unkeyedContainer() {
      var array: [RawJSON] = []
      while !elements.isAtEnd { array.append(try elements.decode(RawJSON.self)) }
      self = array.json
    } else {
      self = try RawJSON(transcribing: decoder.singleValueContainer())
    }
  }

  private init(transcribing scalar: any SingleValueDecodingContainer) throws {
    if scalar.decodeNil() {
      self = .null
    } else if let bool = try? scalar.decode(Bool.self) {
      self = bool.json
    } else if let int = try? scalar.decode(Int.self) {
      self = int.json
    } else if let double = try? scalar.decode(Double.self) {
      self = double.json
    } else {
      self = try scalar.decode(String.self).json
    }
  }

  /// Writes the value into what a coder of another module makes.
  fileprivate func transcribe(to encoder: any Encoder) throws {
    switch kind {
    case .object:
      var container = encoder.container(keyedBy: AnyKey.self)
      for (name, value) in members { try container.encode(value, forKey: AnyKey(name.string)) }
    case .array:
      var container = encoder.unkeyedContainer()
      for element in elements { try container.encode(element) }
    case .string, .number, .bool, .null:
      var container = encoder.singleValueContainer()
      if let string {
        try container.encode(string)
      } else if let int {
        try container.encode(int)
      } else if let double {
        try container.encode(double)
      } else if let bool {
        try container.encode(bool)
      } else {
        try container.encodeNil()
      }
    }
  }
}
