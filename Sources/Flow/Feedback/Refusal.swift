/// Why an input refuses a value. A step throws it, and the caller of the input receives it.
///
/// ```swift
/// state.on(input.save) { state in
///   if state.text.isEmpty { throw Refusal("text", mustBe: "something") }
///   state.saving.start()
/// }
/// ```
public struct Refusal: Error {
  /// The name of the faulty parameter.
  public let parameter: String
  /// The expected value, in words that follow "must be".
  public let expected: String
  /// The actual value; nil if it is unknown.
  public let value: (any Sendable)?

  /// Refuses the value of a parameter, which must be as `expected` describes. The caller also receives the value, if it
  /// can be encoded.
  public init(_ parameter: String, mustBe expected: String, not value: (any Sendable)? = nil) {
    self.parameter = parameter
    self.expected = expected
    self.value = value
  }
}

extension Refusal: CustomStringConvertible {
  /// The reason as a sentence.
  public var description: String { "'\(parameter)' must be \(expected)" }
}
