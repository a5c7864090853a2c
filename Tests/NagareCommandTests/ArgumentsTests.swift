import Nagare
import Testing

@testable import NagareCommand

@Suite struct ArgumentsTests {
  /// Reads arguments, which are separated by spaces in one line.
  private func read(_ line: String) throws -> Arguments { try Arguments(line.split(separator: " ").map(String.init)) }

  private func fault(_ words: [String]) -> String? {
    do throws(Arguments.UsageError) {
      _ = try Arguments(words)
      return nil
    } catch {
      return error.message
    }
  }

  @Test func `without arguments the program serves with the default limits`() throws {
    let arguments = try read("")
    #expect(arguments.action == .serve && arguments.file == nil && arguments.configuration == nil)
    #expect(!arguments.standard.hasVirtualClock && !arguments.standard.isLogging)
    let limits = arguments.standard.limits
    #expect(limits.message.messageSize == 16_777_216 && limits.message.nesting == 512 && limits.views == 10_000)
  }

  @Test(arguments: ["--file a.jsonl --id key", "--file=a.jsonl --id=key", "--id key --file=a.jsonl"])
  func `options accept values after a space or an equals sign, in any order`(line: String) throws {
    let arguments = try read(line)
    #expect(arguments.file == "a.jsonl" && arguments.id == "key")
  }

  @Test func `check and schema are read as actions`() throws {
    #expect(try read("check c.json").action == .check && read("check c.json").configuration == "c.json")
    #expect(try read("schema").action == .schema)
    #expect(try read("check c.json").isTrying == false)
    let trial = try read("check --try c.json")
    #expect(trial.action == .check && trial.isTrying && trial.configuration == "c.json")
    #expect(fault(["check", "--try"])?.contains("needs a value") == true)
    #expect(try read("check c.json --try").isTrying)
    #expect(fault(["check", "c.json", "--log"]) == "check takes one FILE, and no option except --try")
    #expect(fault(["--try"]) == "--try is for a check: nagare check --try FILE")
    #expect(fault(["check"])?.contains("needs a value") == true)
    #expect(fault(["check", "a", "b"]) != nil)
    #expect(fault(["schema", "--log"]) == "schema takes nothing and no options")
    #expect(
      fault(["--log", "schema"]) == "the command 'schema' must be the first argument, with its options after it")
  }

  @Test func `every option is understood`() throws {
    let arguments = try read(
      "--config c.json --clock virtual --log --max-message-size 1000 --max-depth=7 --max-views 3")
    let (standard, limits) = (arguments.standard, arguments.standard.limits)
    #expect(arguments.configuration == "c.json" && standard.hasVirtualClock && standard.isLogging)
    #expect(limits.message.messageSize == 1000 && limits.message.nesting == 7 && limits.views == 3)
    #expect(try read("--clock real").standard.hasVirtualClock == false)
    #expect(try read("--live").isLive && read("").isLive == false)
    #expect(try read("--help").action == .help && read("-h").action == .help && read("--version").action == .version)
  }

  @Test func `a value can contain anything, also an equals sign`() throws {
    #expect(try Arguments(["--file=a=b c"]).file == "a=b c")
    #expect(try Arguments(["--file", "=", "--id", "-"]).id == "-")
  }

  @Test(arguments: [
    (["--files", "a"], "unknown argument '--files'; did you mean '--file'?"),
    (["a.jsonl"], "unknown argument 'a.jsonl'"),
    (["--files=a"], "unknown argument '--files=a'; did you mean '--file'?"), ([""], "unknown argument ''"),
    (["-h=x"], "unknown argument '-h=x'"),
    (
      ["--live", "--file", "a"],
      "--live can't be combined with --file or --config; in a configuration, set \"live\" or \"follow\" of a source"
    ),
    (["--live=1"], "--live takes no value"),
    (["--file"], "--file needs a value"), (["--config="], "--config needs a value"),
    (["--id", ""], "--id needs a value"),
    (["--log=yes"], "--log takes no value"), (["--version="], "--version takes no value"),
    (["--clock", "fast"], "--clock takes 'virtual' or 'real', not 'fast'"),
    (["--max-views", "0"], "--max-views takes a whole number greater than 0, not '0'"),
    (["--max-depth", "-1"], "--max-depth takes a whole number greater than 0, not '-1'"),
    (["--max-message-size", "1e3"], "--max-message-size takes a whole number greater than 0, not '1e3'"),
    (["--file", "a", "--config", "b"], "--file and --config can't be combined"),
    (["--id", "key"], "--id needs --file or a table; in a configuration, set \"id\" of each source"),
    (
      ["--config", "b", "--id", "key"],
      "--id needs --file or a table; in a configuration, set \"id\" of each source"
    ),
    (["--colour"], "unknown argument '--colour'"),
    (["--colums=a"], "unknown argument '--colums=a'; did you mean '--columns'?"),
    (["--write=1"], "--write takes no value"), (["--table"], "--table needs a value"),
    (["--table", "a"], "--table needs --sqlite, --postgres or --csv"),
    (["--still"], "--still needs --sqlite, --postgres or --csv"),
    (["--sqlite", "a", "--live"], "--sqlite can't be combined with --live, --file or --config"),
    (["--csv", "a", "--config", "b"], "--csv can't be combined with --live, --file or --config"),
    (
      ["--sqlite", "a", "--postgres", "b"],
      "--sqlite and --postgres can't be combined: name one database or file"
    ),
  ])
  func `errors name the mistake and the correction`(words: [String], message: String) {
    #expect(fault(words) == message)
  }

  @Test func `the options for a table are passed on in their order, with the id at the end`() throws {
    let line =
      "--id a,b --sqlite m.db --table=mail --log --table tags --columns a,b --order a --search b --write --still"
    #expect(
      try read(line).table == [
        "--sqlite=m.db", "--table=mail", "--table=tags", "--columns=a,b", "--order=a", "--search=b", "--write",
        "--still", "--id=a,b",
      ])
    #expect(
      try read("--csv a.csv --triggers --remove-triggers").table == ["--csv=a.csv", "--triggers", "--remove-triggers"])
    #expect(try read("--postgres=postgres://a/b?c=d").table == ["--postgres=postgres://a/b?c=d"])
  }

  @Test func `the usage names every option`() {
    for option in [
      "--sqlite", "--postgres", "--csv", "--table", "--columns", "--order", "--search", "--write", "--triggers",
      "--still", "--remove-triggers",
      "--file", "--id", "--config", "--clock virtual", "--log", "--max-message-size", "--max-depth", "--max-views",
      "--version", "--help",
    ] {
      #expect(Arguments.usage.contains("\n  \(option)"))
    }
  }

  @Test func `an author's program receives the arguments that aren't standard options`() throws {
    let words = ["tracker.db", "--clock", "virtual", "--verbose", "--log", "-v", "--", "--log"]
    let (options, arguments) = try StandardOptions.read(words)
    #expect(options.hasVirtualClock && options.isLogging && options.printed == nil)
    #expect(arguments == ["tracker.db", "--verbose", "-v", "--log"])
    #expect(throws: StandardOptions.UsageError(message: "--clock needs a value")) {
      try StandardOptions.read(["a", "--clock"])
    }
  }
}
