#if !LIBFUZZER
  internal import Fuzzing

  /// Runs targets with random inputs.
  ///
  ///     Fuzz TARGET [--seed N] [--runs N] [--seconds N] [--keep FILE]
  ///     Fuzz TARGET FILE…
  ///
  /// Runs inputs made from the seed, up to a number or a time; or the inputs in files. With `--keep`, a file holds the
  /// current input. If the process crashes, that is the input to examine.
  @main
  enum Main {
    static func main() {
      guard let run = Run(CommandLine.arguments.dropFirst()) else {
        let names = FuzzTarget.all.map(\.name).joined(separator: "|")
        print("usage: Fuzz \(names) [--seed N] [--runs N] [--seconds N] [--keep FILE] [FILE…]")
        fail(64)
      }
      do throws(Finding) {
        print("\(run.target.name): \(try run.all()) inputs, nothing found")
      } catch {
        print("\(run.target.name): \(error)")
        fail(1)
      }
    }
  }
#endif
