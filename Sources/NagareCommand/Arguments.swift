/// The command line, read.
struct Arguments: Equatable {
  enum Action: Equatable { case serve, check, schema, help, version }

  /// What is wrong with a command line, and what would be right.
  struct UsageError: Error, Equatable {
    let message: String
  }

  var action = Action.serve
  var file: String?
  var id: String?
  var configuration: String?
  var isLive = false
  var hasVirtualClock = false
  var isLogging = false
  var maxMessageSize = 16 << 20
  var maxDepth = 512
  var maxBatch = 100_000
  var maxBatchAnswer = 16 << 20
  var maxViews = 10_000

  static let usage = """
    usage: nagare [--live | --file FILE [--id KEY] | --config FILE] [options]
           nagare check FILE
           nagare schema

    Serves screens as JSON-RPC 2.0 on standard input and output: one message a line, or LSP's Content-Length headers.
    Without a file or a configuration it serves a screen of each kind on data of its own.

      check FILE              report every mistake in a configuration
      schema                  print the JSON Schema of configurations

      --live                  mails of the screens without a file come in, are read elsewhere, and are removed
      --file FILE             list the items of a file: JSON Lines, or one JSON array
      --id KEY                the member of an item that is its id (default: id)
      --config FILE           sources and screens, as JSON
      --clock virtual         time stands still until clock/advance moves it (default: real)
      --log                   write all messages to standard error as well
      --max-message-size N    bytes a message may have (default: 16777216)
      --max-depth N           how deep arrays and objects may be nested (default: 512)
      --max-batch N           messages a batch may have (default: 100000)
      --max-batch-answer N    bytes of answers after which a batch's requests are refused (default: 16777216)
      --max-views N           views that may be open (default: 10000)
      --version               print the version
      --help                  print this

    """

  /// Reads the words that follow the program's name.
  init(_ words: [String]) throws(UsageError) {
    var rest = words[...]
    while let word = rest.popFirst() {
      let equals = word.hasPrefix("--") ? word.firstIndex(of: "=") : nil
      let option = equals.map { String(word[..<$0]) } ?? word
      let attached = equals.map { String(word[$0...].dropFirst()) }
      switch option {
      case "check" where word == words.first:
        action = .check
        configuration = try Arguments.value(of: option, nil, &rest)
      case "schema" where word == words.first: action = .schema
      case "--help", "-h": action = .help
      case "--version": action = .version
      case "--log": isLogging = true
      case "--live": isLive = true
      case "--file": file = try Arguments.value(of: option, attached, &rest)
      case "--id": id = try Arguments.value(of: option, attached, &rest)
      case "--config": configuration = try Arguments.value(of: option, attached, &rest)
      case "--clock":
        let clock = try Arguments.value(of: option, attached, &rest)
        guard clock == "virtual" || clock == "real" else {
          throw UsageError(message: "--clock takes 'virtual' or 'real', not '\(clock)'")
        }
        hasVirtualClock = clock == "virtual"
      case "--max-message-size": maxMessageSize = try Arguments.number(of: option, attached, &rest)
      case "--max-depth": maxDepth = try Arguments.number(of: option, attached, &rest)
      case "--max-batch": maxBatch = try Arguments.number(of: option, attached, &rest)
      case "--max-batch-answer": maxBatchAnswer = try Arguments.number(of: option, attached, &rest)
      case "--max-views": maxViews = try Arguments.number(of: option, attached, &rest)
      default: throw UsageError(message: "unknown argument '\(word)'")
      }
      if attached != nil, ["--help", "--version", "--log", "--live"].contains(option) {
        throw UsageError(message: "\(option) takes no value")
      }
    }
    if action == .check || action == .schema, words.count > (action == .check ? 2 : 1) {
      throw UsageError(message: "\(words[0]) takes \(action == .check ? "one FILE" : "nothing") and no options")
    }
    if file != nil, configuration != nil { throw UsageError(message: "--file and --config exclude each other") }
    if isLive, file != nil || configuration != nil {
      throw UsageError(
        message: "--live goes with no --file or --config; in a configuration a source says \"live\" or \"follow\"")
    }
    if id != nil, file == nil {
      throw UsageError(message: "--id goes with --file; in a configuration each source names its id")
    }
  }

  private static func value(
    of option: String, _ attached: String?, _ rest: inout ArraySlice<String>
  ) throws(UsageError) -> String {
    guard let value = attached ?? rest.popFirst(), !value.isEmpty else {
      throw UsageError(message: "\(option) needs a value")
    }
    return value
  }

  private static func number(
    of option: String, _ attached: String?, _ rest: inout ArraySlice<String>
  ) throws(UsageError) -> Int {
    let text = try value(of: option, attached, &rest)
    guard let number = Int(text), number > 0 else {
      throw UsageError(message: "\(option) takes a whole number greater than 0, not '\(text)'")
    }
    return number
  }
}
