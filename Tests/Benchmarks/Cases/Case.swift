internal import Flow

/// A benchmark: a preparation, and a repeated operation.
struct Case: Sendable {
  /// The unit of a repetition's cost.
  enum Unit: Sendable {
    /// Nanoseconds per repetition.
    case nanoseconds
    /// Millions of bytes per second, with this many bytes per repetition.
    case megabytes(bytes: Int)
  }

  let name: String
  let unit: Unit
  /// The number of repetitions in a timed run. A tenth of them is run before, to warm up.
  let repetitions: Int
  /// The number of repetitions in a counted run. It is high enough to include occasional work.
  let countedRepetitions: Int
  /// The number of timed runs. The median counts.
  let runs: Int
  /// Whether each timed run is prepared again, because repetitions change their data.
  let preparesEachRun: Bool
  /// Prepares the data, and returns the operation, which takes the number of repetitions.
  let prepare: @Sendable () -> (_ repetitions: Int) -> Void

  init(
    _ name: String, _ unit: Unit = .nanoseconds, repetitions: Int, counted: Int, runs: Int = 7,
    preparesEachRun: Bool = false,
    prepare: @escaping @Sendable () -> (_ repetitions: Int) -> Void
  ) {
    self.name = name
    self.unit = unit
    self.repetitions = repetitions
    countedRepetitions = counted
    self.runs = runs
    self.preparesEachRun = preparesEachRun
    self.prepare = prepare
  }

  /// Returns the median of several timed runs.
  func time() -> Double {
    var repeated = prepare()
    let seconds = (0..<runs).map { run in
      if run > 0, preparesEachRun { repeated = prepare() }
      if run == 0 || preparesEachRun { repeated(repetitions / 10) }
      let start = ProcessorTime.now
      repeated(repetitions)
      return ProcessorTime.now - start
    }
    let middle = seconds.sorted()[runs / 2] / Double(repetitions)
    switch unit {
    case .nanoseconds: return middle * 1e9
    case .megabytes(let bytes): return Double(bytes) / middle / 1e6
    }
  }

  /// Runs once, between marks that a profiler recognizes.
  func count() {
    let repeated = prepare()
    repeated(countedRepetitions / 10)
    runCounted(repeated, countedRepetitions)
  }
}

/// The profiler callgrind counts only inside this function, which it recognizes by name.
@inline(never)
@_optimize(none)
private func runCounted(_ repeated: (Int) -> Void, _ repetitions: Int) {
  repeated(repetitions)
}

/// Collects results, so that the compiler can't remove the work for them.
final class Total {
  private(set) var value = 0

  func add(_ number: Int) { value &+= number }
}
