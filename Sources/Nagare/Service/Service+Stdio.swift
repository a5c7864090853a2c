public import Flow
public import Reactor

extension Service {
  /// Serves one view model on standard input and output until the session ends, and exits. This call is a whole
  /// program.
  ///
  /// ```swift
  /// @main enum Main {
  ///   static func main() {
  ///     Service.stdio { clock in Clock(ticks: .interval(.seconds(1), on: clock)) }
  ///   }
  /// }
  /// ```
  /// The screen and its kind of view model have the name of the type, with a lowercase first letter: `clock`. The
  /// program has the options that ``stdio(usage:version:_:)`` lists.
  ///
  /// - Parameter make: creates a view model for each view, on the clock that all views share. It is also called once to
  ///   describe the screen, so it must begin no work.
  public static func stdio<Model: ViewModel>(_ make: @escaping (_ clock: any Scheduler) -> Model) -> Never {
    stdio { service, _ in service.add(Screen { make(service.clock) }) }
  }

  /// Serves several screens on standard input and output until the session ends, and exits. This call is a whole
  /// program.
  ///
  /// ```swift
  /// Service.stdio { service, loop in
  ///   let cart = Store(Cart(), on: service.dispatcher).taking(.add) { $0.products.append($1) }
  ///   service.add(Screen { Products(cart) })
  ///   service.add(Screen("product", parameter: "id") { id in ProductDetail(id, cart) })
  /// }
  /// ```
  /// The program has the following options, which `nagare` has, too. All other arguments are in ``arguments``, and so
  /// are all after `--`:
  ///
  /// - `--clock virtual`: time only moves by `clock/advance`, which makes tests repeatable.
  /// - `--log`: writes all messages to standard error as well.
  /// - `--max-message-size`, `--max-depth`, `--max-batch`, `--max-batch-answer` and `--max-views`: limits of the
  ///   session.
  /// - `--help` and `--version`.
  ///
  /// A program with other needs creates a ``Service`` and runs a ``StdioTransport``.
  ///
  /// - Parameters:
  ///   - usage: the program's own arguments for `--help`, such as `[DATABASE]`.
  ///   - version: the program's version for `--version`.
  ///   - define: adds the screens to the service. The service's clock is the loop or a virtual clock. Objects that
  ///     read or write, such as sources, are created on the loop.
  public static func stdio(
    usage: String = "", version: String = "", _ define: (_ service: Service, _ loop: EventLoop) -> Void
  ) -> Never {
    let words = CommandLine.arguments
    let name = words.first.flatMap { $0.split(separator: "/").last.map(String.init) } ?? "program"
    let (options, arguments): (StandardOptions, [String])
    do throws(StandardOptions.UsageError) {
      (options, arguments) = try StandardOptions.read(Array(words.dropFirst()))
    } catch {
      CurrentProcess.writeError("\(name): \(error.message); see \(name) --help\n")
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
      CurrentProcess.writeError("\(error)\n")
      CurrentProcess.exit(.failure)
    }
  }
}
