/// Why a value can't be written as JSON, and where that shows: the type's own `encode(to:)` refuses to, or a value is
/// nested too deep.
public struct EncodingFailure: Error, Hashable, Sendable {
  /// The way to the value at fault, from the outermost: members' names, and elements' indices as `[2]`.
  public let path: [String]
  /// What is wrong, for a person.
  public let reason: String

  init(reason: String, at path: [any CodingKey]) { (self.path, self.reason) = (path.map(\.stringValue), reason) }

  /// What an `encode(to:)` has thrown.
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

  // Without its path, which is as long as the value is deep.
  static let tooDeep = EncodingFailure(reason: "it is nested deeper than \(ValueDecoder.maxDepth)", at: [])

  /// The failure in words for a person.
  public var message: String { "\(subject(at: path)) can't be written as JSON: \(reason)" }
}
