internal import PageSources
internal import Flow
internal import Nagare
internal import Reactor

/// The program `nagare`. It reads the command line, creates the screens, and serves them until the session ends.
package enum Program {
  /// Runs the program to its end.
  package static func main() {
    do throws(Arguments.UsageError) {
      let arguments = try Arguments(Array(CommandLine.arguments.dropFirst()))
      switch arguments.action {
      case .help: print(Arguments.usage, terminator: "")
      case .version: print("nagare \(Service.version)")
      case .schema: print(Configuration.schemaDocument)
      case .check: CurrentProcess.exit(check(arguments))
      case .serve: CurrentProcess.exit(serve(arguments))
      }
    } catch {
      CurrentProcess.writeError("nagare: \(error.message); see nagare --help\n")
      CurrentProcess.exit(.usage)
    }
  }

  private static func check(_ arguments: Arguments) -> CurrentProcess.ExitCode {
    do throws(ConfigurationError) {
      let configuration = try ConfigurationFile(path: arguments.configuration ?? "").configuration
      print("\(arguments.configuration ?? ""): \(configuration.screens.values.count) screens, no mistakes")
      return .success
    } catch {
      CurrentProcess.writeError("\(error)\n")
      return .configuration
    }
  }

  private static func serve(_ arguments: Arguments) -> CurrentProcess.ExitCode {
    Signals.catchTermination(timeout: 1)
    do {
      let definition = try ScreenBuilder(arguments)
      let loop = try EventLoop()
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
