internal import Nagare

/// The arguments of the command line.
struct Arguments {
  typealias UsageError = StandardOptions.UsageError

  enum Action: Equatable { case serve, check, schema, help, version }

  var action = Action.serve
  var file: String?
  var id: String?
  var configuration: String?
  var isLive = false
  var standard = StandardOptions()

  static let usage = """
    usage: nagare [--live | --file FILE [--id KEY] | --config FILE] [options]
           nagare check FILE
           nagare schema

    Serves screens as JSON-RPC 2.0 on standard input and output: one message a line, or LSP's Content-Length headers.
    Without a file or a configuration, it serves demo screens, one of each kind.

      check FILE              report every mistake in a configuration
      schema                  print the JSON Schema of configurations

      --live                  simulate a busy mailbox in the demo: mails arrive, are read and are deleted
      --file FILE             list the items of a file: JSON Lines, or one JSON array
      --id KEY                the field of an item that is its id (default: id)
      --config FILE           sources and screens, as JSON
    \(StandardOptions.usage)

    """

  /// Reads the arguments after the program's name.
  init(_ words: [String]) throws(UsageError) {
    var rest = words[...]
    while let word = rest.popFirst() {
      let (option, attached) = StandardOptions.split(word)
      switch option {
      case "check" where word == words.first:
        action = .check
        configuration = try StandardOptions.value(of: option, nil, &rest)
      case "schema" where word == words.first: action = .schema
      case "--live":
        if attached != nil { throw UsageError(message: "--live takes no value") }
        isLive = true
      case "--file": file = try StandardOptions.value(of: option, attached, &rest)
      case "--id": id = try StandardOptions.value(of: option, attached, &rest)
      case "--config": configuration = try StandardOptions.value(of: option, attached, &rest)
      default:
        if try !standard.take(word, &rest) { throw UsageError(message: "unknown argument '\(word)'") }
      }
    }
    if action == .check || action == .schema, words.count > (action == .check ? 2 : 1) {
      throw UsageError(message: "\(words[0]) takes \(action == .check ? "one FILE" : "nothing") and no options")
    }
    switch standard.printed {
    case .help: action = .help
    case .version: action = .version
    case nil: break
    }
    if file != nil, configuration != nil { throw UsageError(message: "--file and --config can't be combined") }
    if isLive, file != nil || configuration != nil {
      throw UsageError(
        message:
          "--live can't be combined with --file or --config; in a configuration, set \"live\" or \"follow\" of a source"
      )
    }
    if id != nil, file == nil {
      throw UsageError(message: "--id needs --file; in a configuration, set \"id\" of each source")
    }
  }
}
