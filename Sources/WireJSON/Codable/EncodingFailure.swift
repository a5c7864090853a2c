/// Why a value can't be written as JSON, and where the problem is: the type's own `encode(to:)` throws, or the value is
/// nested too deep.
public struct EncodingFailure: Error, Hashable, Sendable {
  /// The path to the faulty value, from the outermost step: names of fields, and indices of elements as `[2]`.
  public let path: [String]
  /// The reason, in words for a person.
  public let reason: String

  init(reason: String, at path: [any CodingKey]) { (self.path, self.reason) = (path.map(\.stringValue), reason) }

  /// Converts an error thrown by an `encode(to:)`.
  init(_ error: any Error, at path: [any CodingKey]) {
    if let failure = error as? EncodingFailure {
      self = failure
    } else if case .invalidValue(_, let context) = error as? EncodingError {
      let isDeeper = context.codingPath.count > path.count
      self.init(reason: context.debugDescription, at: isDeeper ? context.codingPath : path)
    } else {
      self.init(reason: "\(error)", at: path)
    }
  }

  // Without a path, which would be as long as the value is deep.
  static let tooDeep = EncodingFailure(reason: "it is nested deeper than \(ValueDecoder.maxDepth)", at: [])

  /// The failure as a sentence for a person.
  public var message: String { "\(subject(at: path)) can't be written as JSON: \(reason)" }
}
