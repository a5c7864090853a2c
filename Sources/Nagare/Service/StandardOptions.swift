/// The command-line options that all programs with a stdio transport share.
package struct StandardOptions: Sendable {
  /// A mistake in a command line, and how to correct it.
  package struct UsageError: Error, Equatable {
    package let message: String

    package init(message: String) { self.message = message }
  }

  /// Text to print instead of serving.
  package enum Printed: Sendable { case help, version }

  package private(set) var printed: Printed?
  package private(set) var hasVirtualClock = false
  package private(set) var isLogging = false
  package private(set) var limits = Service.Limits()

  /// The options in the usage text, one on each line.
  package static let usage = """
      --clock virtual         time stands still until clock/advance moves it (default: real)
      --log                   write all messages to standard error as well
      --max-message-size N    bytes a message may have (default: 16777216)
      --max-depth N           how deep arrays and objects may be nested (default: 512)
      --max-batch N           messages a batch may have (default: 100000)
      --max-batch-answer N    bytes of a batch's response after which its requests are refused (default: 16777216)
      --max-views N           views that may be open (default: 10000)
      --version               print the version
      --help                  print this help
    """

  package init() {}

  /// Reads a program's arguments. Returns the standard options, and the other arguments in their order. All after `--`
  /// are other arguments.
  package static func read(_ words: [String]) throws(UsageError) -> (options: StandardOptions, arguments: [String]) {
    var (options, arguments, rest) = (StandardOptions(), [String](), words[...])
    while let word = rest.popFirst() {
      if word == "--" { return (options, arguments + rest) }
      if try !options.take(word, &rest) { arguments.append(word) }
    }
    return (options, arguments)
  }

  /// Reads one argument if it is a standard option, and the option's value.
  ///
  /// - Parameters:
  ///   - word: the argument. It may contain the option's value after a `=`.
  ///   - rest: the arguments after it. The option's value is removed from them.
  /// - Returns: whether the argument is a standard option.
  /// - Throws: the error in the option's value.
  package mutating func take(_ word: String, _ rest: inout ArraySlice<String>) throws(UsageError) -> Bool {
    let (option, attached) = StandardOptions.split(word)
    switch option {
    case "--help", "-h": printed = .help
    case "--version": printed = .version
    case "--log": isLogging = true
    case "--clock":
      let clock = try StandardOptions.value(of: option, attached, &rest)
      guard clock == "virtual" || clock == "real" else {
        throw UsageError(message: "--clock takes 'virtual' or 'real', not '\(clock)'")
      }
      hasVirtualClock = clock == "virtual"
    case "--max-message-size": limits.message.messageSize = try StandardOptions.number(of: option, attached, &rest)
    case "--max-depth": limits.message.nesting = try StandardOptions.number(of: option, attached, &rest)
    case "--max-batch": limits.message.batch = try StandardOptions.number(of: option, attached, &rest)
    case "--max-batch-answer": limits.message.batchAnswer = try StandardOptions.number(of: option, attached, &rest)
    case "--max-views": limits.views = try StandardOptions.number(of: option, attached, &rest)
    default: return false
    }
    if attached != nil, ["--help", "--version", "--log"].contains(option) {
      throw UsageError(message: "\(option) takes no value")
    }
    return true
  }

  /// Returns an option, and the value after its `=`.
  package static func split(_ word: String) -> (option: String, attached: String?) {
    guard word.hasPrefix("--"), let equals = word.firstIndex(of: "=") else { return (word, nil) }
    return (String(word[..<equals]), String(word[equals...].dropFirst()))
  }

  /// Returns the value of an option: the text after its `=`, or the next argument.
  package static func value(
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
