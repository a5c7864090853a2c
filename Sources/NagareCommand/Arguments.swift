internal import Nagare
internal import WireJSON

/// The arguments of the command line.
struct Arguments {
  typealias UsageError = StandardOptions.UsageError

  enum Action: Equatable { case serve, check, schema, help, version }

  var action = Action.serve
  var file: String?
  var id: String?
  var configuration: String?
  /// Whether `check` also requests a page of each source.
  var isTrying = false
  var isLive = false
  /// The options for tables, which the kit receives unchanged. It is empty if no table is named.
  var table: [String] = []
  var standard = StandardOptions()

  static let usage = """
    usage: nagare [--live | --file FILE | TABLE | --config FILE] [options]
           nagare check [--try] FILE
           nagare schema
           nagare COMMAND [arguments]

    Serves screens as JSON-RPC 2.0 on standard input and output: one message a line, or LSP's Content-Length headers.
    Without a file, a table or a configuration, it serves demo screens, one of each kind.

      check FILE              report every mistake in a configuration, and missing files and programs
      check --try FILE        also request a page of each source
      schema                  print the JSON Schema of configurations
      COMMAND                 run the program nagare-COMMAND, from the folder of nagare or from PATH

      --live                  simulate a busy mailbox in the demo: mails arrive, are read and are deleted
      --file FILE             list the items of a file: JSON Lines, or one JSON array
      --id KEY                the field of an item that is its id (default: id)
      --config FILE           sources and screens, as JSON

    TABLE is a table, which the Python kit reads (the program nagare-source-sql). Nothing in it changes, unless --write
    or --triggers is given:
      --sqlite FILE           list the tables of an SQLite database
      --postgres URL          list the tables of a PostgreSQL database
      --csv FILE              list the rows of a CSV file
      --table NAME            list only this table; it may be repeated
      --columns A,B           the columns of the rows (default: all without bytes)
      --order "A desc, B"     the order of the rows (default: by time, newest first)
      --id A,B                columns whose values identify a row (default: the primary key)
      --search A,B            the columns to search (default: all texts)
      --write                 allow edits
      --triggers              record changes by triggers, which are named before they are made
      --still                 don't show changes by other programs
      --remove-triggers       remove the triggers, and end
    \(StandardOptions.usage)

    """

  /// The names of all options, from the usage text.
  private static var options: Set<String> {
    Set(usage.split { $0.isWhitespace }.filter { $0.hasPrefix("--") }.map(String.init))
  }

  /// Reads the arguments after the program's name. `isCommand` returns whether a word is the name of a subcommand.
  init(
    _ words: [String], isCommand: (String) -> Bool = { Subcommands.builtIn.contains($0) }
  ) throws(UsageError) {
    var rest = words[...]
    while let word = rest.popFirst() {
      let (option, attached) = StandardOptions.split(word)
      switch option {
      case "check" where word == words.first:
        action = .check
        isTrying = rest.first == "--try"
        if isTrying { rest.removeFirst() }
        configuration = try StandardOptions.value(of: option, nil, &rest)
      case "schema" where word == words.first: action = .schema
      case "--try":
        if action != .check || isTrying { throw UsageError(message: "--try is for a check: nagare check --try FILE") }
        isTrying = true
      case "--live":
        if attached != nil { throw UsageError(message: "--live takes no value") }
        isLive = true
      case "--file": file = try StandardOptions.value(of: option, attached, &rest)
      case "--id": id = try StandardOptions.value(of: option, attached, &rest)
      case "--config": configuration = try StandardOptions.value(of: option, attached, &rest)
      case "--sqlite", "--postgres", "--csv", "--table", "--columns", "--order", "--search":
        table.append("\(option)=\(try StandardOptions.value(of: option, attached, &rest))")
      case "--write", "--triggers", "--still", "--remove-triggers":
        if attached != nil { throw UsageError(message: "\(option) takes no value") }
        table.append(option)
      default:
        if try standard.take(word, &rest) { continue }
        if Subcommands.isName(word), isCommand(word) {
          throw UsageError(message: "the command '\(word)' must be the first argument, with its options after it")
        }
        throw UsageError(message: "unknown argument '\(word)'\(Arguments.suggestion(for: option))")
      }
    }
    if action == .check, words.count > (isTrying ? 3 : 2) {
      throw UsageError(message: "check takes one FILE, and no option except --try")
    }
    if action == .schema, words.count > 1 { throw UsageError(message: "schema takes nothing and no options") }
    switch standard.printed {
    case .help: action = .help
    case .version: action = .version
    case nil: try checkCombination()
    }
  }

  /// The end of the message about an unknown option. Empty if no option has a similar name.
  private static func suggestion(for option: String) -> String {
    guard option.hasPrefix("--"), !options.contains(option) else { return "" }
    return nearestName(to: String(option.dropFirst(2)), in: options.sorted().map { String($0.dropFirst(2)) })
      .map { "; did you mean '--\($0)'?" } ?? ""
  }

  /// Refuses options that can't be combined.
  private mutating func checkCombination() throws(UsageError) {
    if file != nil, configuration != nil { throw UsageError(message: "--file and --config can't be combined") }
    if isLive, file != nil || configuration != nil {
      throw UsageError(
        message:
          "--live can't be combined with --file or --config; in a configuration, set \"live\" or \"follow\" of a source"
      )
    }
    if !table.isEmpty {
      let databases = table.map { StandardOptions.split($0).option }.filter(Arguments.databases.contains)
      let option = StandardOptions.split(table[0]).option
      if isLive || file != nil || configuration != nil {
        throw UsageError(message: "\(option) can't be combined with --live, --file or --config")
      }
      if databases.isEmpty { throw UsageError(message: "\(option) needs --sqlite, --postgres or --csv") }
      if databases.count > 1 {
        throw UsageError(message: "\(databases[0]) and \(databases[1]) can't be combined: name one database or file")
      }
      if let id { table.append("--id=\(id)") }
    } else if id != nil, file == nil {
      throw UsageError(message: "--id needs --file or a table; in a configuration, set \"id\" of each source")
    }
  }

  private static let databases = ["--sqlite", "--postgres", "--csv"]
}
