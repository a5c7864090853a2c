/// A part of the program, what it is fed to begin with, and what must hold of it whatever it is fed.
public struct FuzzTarget: Sendable {
  /// What it is called on the command line.
  public let name: String
  /// Inputs that reach far into it: others are made by changing these.
  public let seeds: [[UInt8]]
  /// What inputs are made of, for changes that make sense.
  public let words: [[UInt8]]
  /// How many inputs the tests run.
  public let testedInputs: Int
  /// Feeds it an input. The same input does the same, always.
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

  /// All there are.
  public static let all: [FuzzTarget] = [.json, .framing, .peer, .configuration, .views]

  /// The target of that name.
  public init?(_ name: String) {
    guard let target = FuzzTarget.all.first(where: { $0.name == name }) else { return nil }
    self = target
  }
}

/// What an input showed to be wrong. What ends the process shows itself.
public struct Finding: Error, CustomStringConvertible {
  /// What should hold, and what was found instead.
  public let description: String

  init(_ description: String) { self.description = description }
}

func require(_ condition: Bool, _ fault: @autoclosure () -> String) throws(Finding) {
  if !condition { throw Finding(fault()) }
}

/// What must be there.
func require<Value>(_ value: Value?, _ fault: @autoclosure () -> String) throws(Finding) -> Value {
  guard let value else { throw Finding(fault()) }
  return value
}
