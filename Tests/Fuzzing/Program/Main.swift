#if !LIBFUZZER
  internal import Fuzzing

  /// Feeds targets what nobody thought of.
  ///
  ///     Fuzz TARGET [--seed N] [--runs N] [--seconds N] [--keep FILE]
  ///     Fuzz TARGET FILE…
  ///
  /// Runs inputs that are made of the seed, until there were so many or so long; or those that files hold. Where
  /// `--keep` names a file, it holds the input that runs: the one to look at, when the process has ended by it.
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
