import Foundation
import Randomness
import Testing

/// Lists that go through random steps. Whenever nothing runs and no message is open, they are compared with a model
/// that was written from the specification alone.
@Suite struct RandomDayTests {
  /// The total number of steps. `NAGARE_LIST_STEPS=1000000` runs the long form.
  static let steps = number("NAGARE_LIST_STEPS") ?? 100_000
  /// The seed of the first day. Each later day has the next seed.
  static let firstSeed = UInt64(number("NAGARE_LIST_SEED") ?? 1)
  static let stepsADay = 250
  static let mostFaults = 3

  private static func number(_ name: String) -> Int? { ProcessInfo.processInfo.environment[name].flatMap { Int($0) } }

  /// The random steps of a day.
  static func day(_ seed: UInt64, _ count: Int = stepsADay) -> [RandomDayStep] {
    var random = SplitMix64(seed: seed ^ 0x5EED)
    return (0..<count).map { _ in RandomDayStep(using: &random) }
  }

  /// Runs a day, and checks the idle list at its end. Returns the number of steps.
  static func run(_ seed: UInt64, _ steps: [RandomDayStep], trace: ((String) -> Void)? = nil) throws -> Int {
    let day = RandomDay(seed: seed)
    day.trace = trace
    trace?("\(day.settings)")
    var count = 0
    for step in steps + [RandomDayStep(.rest)] {
      trace?("\(step)")
      try day.perform(step)
      count += 1
    }
    return count
  }

  static func fault(_ seed: UInt64, _ steps: [RandomDayStep]) -> String? {
    do {
      _ = try run(seed, steps)
      return nil
    } catch {
      return "\(error)"
    }
  }

  /// The steps without those that the fault doesn't depend on.
  static func shortened(_ seed: UInt64, _ steps: [RandomDayStep]) -> [RandomDayStep] {
    var steps = steps
    var size = steps.count / 2
    while size > 0 {
      var start = 0
      while start < steps.count {
        var fewer = steps
        fewer.removeSubrange(start..<min(start + size, steps.count))
        if fault(seed, fewer) != nil { steps = fewer } else { start += size }
      }
      size /= 2
    }
    return steps
  }

  @Test func `an idle list has the same rows as its source`() {
    var (done, seed, faults) = (0, Self.firstSeed, 0)
    while done < Self.steps, faults < Self.mostFaults {
      let steps = Self.day(seed)
      if let fault = Self.fault(seed, steps) {
        let few = Self.shortened(seed, steps)
        var lines: [String] = []
        _ = try? Self.run(seed, few) { lines.append($0) }
        Issue.record("seed \(seed): \(Self.fault(seed, few) ?? fault)\n\(lines.joined(separator: "\n"))")
        faults += 1
      }
      (done, seed) = (done + steps.count, seed + 1)
    }
    print("random days: \(done) steps from seed \(Self.firstSeed) to \(seed - 1)")
  }
}
