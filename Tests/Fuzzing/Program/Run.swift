#if !LIBFUZZER
  internal import Fuzzing

  /// A parsed command line.
  struct Run {
    let target: FuzzTarget
    private var seed: UInt64 = 1
    private var runs = Int.max
    private var time = Duration.seconds(10)
    private var kept: InputFile?
    private var files: [String] = []

    init?(_ words: ArraySlice<String>) {
      var words = words
      guard let name = words.popFirst(), let target = FuzzTarget(name) else { return nil }
      self.target = target
      while let word = words.popFirst() {
        guard word.hasPrefix("--") else {
          files.append(word)
          continue
        }
        guard let value = words.popFirst() else { return nil }
        switch (word, UInt64(value)) {
        case ("--seed", let number?): seed = number
        case ("--runs", let number?): runs = Int(clamping: number)
        case ("--seconds", let number?): time = .seconds(Int(clamping: number))
        case ("--keep", _): kept = InputFile(value)
        default: return nil
        }
      }
    }

    /// Runs all inputs, and returns their number.
    func all() throws(Finding) -> Int {
      for file in files { try target.check(InputFile.contents(of: file)) }
      if !files.isEmpty { return files.count }
      var inputs = Inputs(for: target, seed: seed)
      let end = ContinuousClock.now + time
      var count = 0
      while count < runs, ContinuousClock.now < end {
        let input = inputs.next()
        kept?.hold(input)
        try target.check(input)
        count += 1
      }
      return count
    }
  }
#endif
