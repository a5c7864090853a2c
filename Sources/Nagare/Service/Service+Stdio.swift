public import Flow
public import Reactor

extension Service {
  /// Serves one view model on standard input and output, until the conversation ends: a whole program.
  ///
  /// ```swift
  /// @main enum Main {
  ///   static func main() {
  ///     Service.stdio { clock in Clock(ticks: .interval(.seconds(1), on: clock)) }
  ///   }
  /// }
  /// ```
  /// The screen and its kind of view model are named after the type, with a small first letter: `clock`. The program has the
  /// options that ``stdio(usage:version:_:)`` describes.
  ///
  /// - Parameter make: makes a view model for each view, on the clock of all views; it is also asked once to describe the
  ///   screen, so it starts nothing.
  public static func stdio<Model: ViewModel>(_ make: @escaping (_ clock: any Scheduler) -> Model) -> Never {
    stdio { service, _ in service.add(Screen { make(service.clock) }) }
  }

  /// Serves several screens on standard input and output, until the conversation ends: a whole program.
  ///
  /// ```swift
  /// Service.stdio { service, loop in
  ///   let cart = Store(Cart(), on: service.dispatcher).taking(.add) { $0.products.append($1) }
  ///   service.add(Screen { Products(cart) })
  ///   service.add(Screen("product", parameter: "id") { id in ProductDetail(id, cart) })
  /// }
  /// ```
  /// The program has these options, as `nagare` has. What else is in the command line is in ``arguments``, also all that
  /// follows `--`:
  ///
  /// - `--clock virtual`: time stands still until `clock/advance` moves it, so that a test is the same each time.
  /// - `--log`: all messages are written to the standard error as well.
  /// - `--max-message-size`, `--max-depth`, `--max-batch`, `--max-batch-answer` and `--max-views`: the limits.
  /// - `--help` and `--version`.
  ///
  /// Who has other needs makes a ``Service``, and runs a ``StdioTransport``.
  ///
  /// - Parameters:
  ///   - usage: the program's own arguments for `--help`, such as `[DATABASE]`.
  ///   - version: the program's version for `--version`.
  ///   - define: adds the screens to the service. Its clock is the loop, or virtual; what reads and writes, such as a source,
  ///     is made on the loop.
  public static func stdio(
    usage: String = "", version: String = "", _ define: (_ service: Service, _ loop: EventLoop) -> Void
  ) -> Never {
    let words = CommandLine.arguments
    let name = words.first.flatMap { $0.split(separator: "/").last.map(String.init) } ?? "program"
    let (options, arguments): (StandardOptions, [String])
    do throws(StandardOptions.UsageError) {
      (options, arguments) = try StandardOptions.read(Array(words.dropFirst()))
    } catch {
      CurrentProcess.complain("\(name): \(error.message); see \(name) --help\n")
      CurrentProcess.exit(.usage)
    }
    switch options.printed {
    case .help:
      let own = usage.isEmpty ? "" : " \(usage)"
      print("usage: \(name) [options]\(own)\n\n\(StandardOptions.usage)")
      CurrentProcess.exit(.success)
    case .version:
      print([name, version, "(nagare \(Service.version))"].filter { !$0.isEmpty }.joined(separator: " "))
      CurrentProcess.exit(.success)
    case nil: break
    }
    Signals.catchTermination(timeout: 1)
    do throws(SystemError) {
      let loop = try EventLoop()
      let service = Service(clock: options.hasVirtualClock ? VirtualScheduler() : loop, limits: options.limits)
      service.arguments = arguments
      if options.isLogging { service.peer.log = { CurrentProcess.log($0) } }
      define(service, loop)
      CurrentProcess.exit(try StdioTransport(service, on: loop).run().exitCode)
    } catch {
      CurrentProcess.complain("\(error)\n")
      CurrentProcess.exit(.failure)
    }
  }
}
