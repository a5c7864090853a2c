internal import Flow

/// Something to be measured: prepared, and then repeated.
struct Case: Sendable {
  /// What a repetition's cost is said in.
  enum Unit: Sendable {
    /// Nanoseconds a repetition.
    case nanoseconds
    /// Millions of bytes a second, of so many bytes a repetition.
    case megabytes(bytes: Int)
  }

  let name: String
  let unit: Unit
  /// How many repetitions a timed run has, after a tenth of them to warm up.
  let repetitions: Int
  /// How many a counted run has: enough that what happens now and then is seen.
  let countedRepetitions: Int
  /// How many timed runs there are, of which the median counts.
  let runs: Int
  /// Whether each timed run starts afresh, because repetitions change what they work on.
  let preparesEachRun: Bool
  /// Makes what the repetitions need, and gives what repeats them.
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

  /// The median of several runs.
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

  /// Runs once, between marks that a profiler sees.
  func count() {
    let repeated = prepare()
    repeated(countedRepetitions / 10)
    runCounted(repeated, countedRepetitions)
  }
}

/// What is counted is what happens inside of this function: callgrind is told to collect there, by its name.
@inline(never)
@_optimize(none)
private func runCounted(_ repeated: (Int) -> Void, _ repetitions: Int) {
  repeated(repetitions)
}

/// A place for results, so that the work for them can't be left out.
final class Total {
  private(set) var value = 0

  func add(_ number: Int) { value &+= number }
}
