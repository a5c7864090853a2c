internal import PageSources
internal import Flow
internal import Nagare
internal import Reactor

/// The program `nagare`. It reads the command line, creates the screens, and serves them until the session ends.
package enum Program {
  /// Runs the program to its end.
  package static func main() {
    let words = Array(CommandLine.arguments.dropFirst())
    if let name = words.first, Subcommands.isName(name), !Subcommands.builtIn.contains(name) { run(name) }
    do throws(Arguments.UsageError) {
      let arguments = try Arguments(words) { name in
        Subcommands.builtIn.contains(name) || Subcommands(folders: .ownAndPath).program(of: name) != nil
      }
      switch arguments.action {
      case .help: print(Arguments.usage, terminator: "")
      case .version: print("nagare \(Service.version)")
      case .schema: print(Configuration.schemaDocument)
      case .check: CurrentProcess.exit(check(arguments))
      case .serve: CurrentProcess.exit(serve(arguments))
      }
    } catch {
      refuse(error.message)
    }
  }

  /// Ends with the reason why the command line is wrong. The reason may end with a question.
  private static func refuse(_ reason: String) -> Never {
    CurrentProcess.writeError("nagare: \(reason)\(reason.hasSuffix("?") ? " See" : "; see") nagare --help\n")
    CurrentProcess.exit(.usage)
  }

  /// Becomes the program that provides a subcommand. `NAGARE` names this program for it.
  private static func run(_ name: String) -> Never {
    let subcommands = Subcommands(folders: .ownAndPath)
    guard let program = subcommands.program(of: name) else { refuse(subcommands.reason(against: name)) }
    if CurrentProcess.environment("NAGARE") == nil, let own = CurrentProcess.path {
      CurrentProcess.setEnvironment("NAGARE", to: own)
    }
    do throws(SystemError) {
      try CurrentProcess.become(program, skippingArguments: 1)
    } catch {
      CurrentProcess.writeError("nagare: \(error); the program or its interpreter is missing or damaged\n")
      CurrentProcess.exit(.failure)
    }
  }

  private static func check(_ arguments: Arguments) -> CurrentProcess.ExitCode {
    do {
      let file = try ConfigurationFile(path: arguments.configuration ?? "")
      print("\(file.path): \(file.configuration.screens.values.count) screens, no mistakes")
      for warning in file.warnings { CurrentProcess.writeError("\(warning)\n") }
      if !arguments.isTrying { return .success }
      return SourceTrial(file: file, loop: try EventLoop()).run() ? .success : .failure
    } catch let error as ConfigurationError {
      CurrentProcess.writeError("\(error)\n")
      return .configuration
    } catch {
      CurrentProcess.writeError("nagare: \(error)\n")
      return .failure
    }
  }

  private static func serve(_ arguments: Arguments) -> CurrentProcess.ExitCode {
    Signals.catchTermination(timeout: 1)
    do {
      let loop = try EventLoop()
      if arguments.table.contains("--remove-triggers") {
        let output = try TableKit.find().run(arguments.table, on: loop)
        print(String(decoding: output, as: UTF8.self), terminator: "")
        return .success
      }
      let definition = try ScreenBuilder(arguments, on: loop)
      let clock: any Scheduler = arguments.standard.hasVirtualClock ? VirtualScheduler() : loop
      let service = Service(clock: clock, limits: arguments.standard.limits)
      var sources = SourceFactory(for: service, on: loop)
      sources.limits = arguments.standard.limits.message
      if arguments.standard.isLogging { sources.log = { CurrentProcess.log($0) } }
      definition.addScreens(to: service, &sources)
      let commands = sources.commands
      service.onStop = { for source in commands { source.end() } }
      defer { CommandSource.endAll(commands) }
      service.peer.log = sources.log
      let transport = try StdioTransport(service, on: loop)
      if Descriptor.standardInput.isTerminal { CurrentProcess.log(hint(service)) }
      let code = try transport.run(servingMainActor: false).exitCode
      CommandSource.endAll(commands)
      // Returning would release all views, one by one, immediately before the process ends.
      CurrentProcess.exit(code)
    } catch let error as ConfigurationError {
      CurrentProcess.writeError("\(error)\n")
      return .configuration
    } catch {
      CurrentProcess.writeError("nagare: \(error)\n")
      return .failure
    }
  }

  /// Returns a hint for a person who starts the program at a terminal.
  private static func hint(_ service: Service) -> String {
    let screen = service.screenNames.first ?? "items"
    return """
      nagare \(Service.version): type one JSON-RPC message a line; Ctrl-D ends. Screens: \
      \(service.screenNames.joined(separator: ", ")). Try:
      {"jsonrpc":"2.0","id":1,"method":"open","params":{"screen":"\(screen)"}}
      {"jsonrpc":"2.0","id":2,"method":"viewWillAppear"}
      {"jsonrpc":"2.0","id":3,"method":"reachBottom"}
      {"jsonrpc":"2.0","id":4,"method":"screens"}

      """
  }
}
