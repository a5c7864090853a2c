/// A part of the program to test, its initial inputs, and the check that must succeed for every input.
public struct FuzzTarget: Sendable {
  /// The name on the command line.
  public let name: String
  /// Inputs that reach deep into the target. Others are made by changing these.
  public let seeds: [[UInt8]]
  /// Words for changes that make sense.
  public let words: [[UInt8]]
  /// The number of inputs that the tests run.
  public let testedInputs: Int
  /// Runs an input. The same input always has the same effect.
  public let check: @Sendable (_ input: [UInt8]) throws(Finding) -> Void

  init(
    _ name: String, testedInputs: Int, seeds: [String], words: [String] = [],
    check: @escaping @Sendable (_ input: [UInt8]) throws(Finding) -> Void
  ) {
    self.name = name
    self.testedInputs = testedInputs
    self.seeds = seeds.map { Array($0.utf8) }
    self.words = words.map { Array($0.utf8) }
    self.check = check
  }

  /// All targets.
  public static let all: [FuzzTarget] = [.json, .framing, .peer, .configuration, .views]

  /// Finds a target by name.
  public init?(_ name: String) {
    guard let target = FuzzTarget.all.first(where: { $0.name == name }) else { return nil }
    self = target
  }
}

/// A fault that an input has shown. Crashes need no finding, because they end the process.
public struct Finding: Error, CustomStringConvertible {
  /// The expectation, and the actual result.
  public let description: String

  init(_ description: String) { self.description = description }
}

func require(_ condition: Bool, _ fault: @autoclosure () -> String) throws(Finding) {
  if !condition { throw Finding(fault()) }
}

/// Returns a required value, or throws a finding.
func require<Value>(_ value: Value?, _ fault: @autoclosure () -> String) throws(Finding) -> Value {
  guard let value else { throw Finding(fault()) }
  return value
}
