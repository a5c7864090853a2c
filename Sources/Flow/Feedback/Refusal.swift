/// Why an input's value is not taken. A step throws it, and whoever has called the input is told.
///
/// ```swift
/// state.on(input.save) { state in
///   if state.text.isEmpty { throw Refusal("text", mustBe: "something") }
///   state.saving.start()
/// }
/// ```
public struct Refusal: Error {
  /// The name of the parameter that is at fault.
  public let parameter: String
  /// What it should be, in words that follow "must be".
  public let expected: String
  /// What it is, where that is known.
  public let value: (any Sendable)?

  /// Refuses the value of a parameter, which must be what `expected` says. The value is repeated to the caller if it
  /// can be.
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
