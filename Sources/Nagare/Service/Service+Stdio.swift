internal import Flow
public import Reactor

extension Service {
  /// Serves one view model on standard input and output, until the conversation ends: a whole program.
  ///
  /// ```swift
  /// @main enum Main {
  ///   static func main() {
  ///     Service.stdio { loop in Clock(ticks: .interval(.seconds(1), on: loop)) }
  ///   }
  /// }
  /// ```
  /// The screen and its kind of view model are named after the type, with a small first letter: `clock`. Who serves
  /// several screens, or has options of its own, makes a ``Service``, adds each ``Screen``, and runs a
  /// ``StdioTransport``.
  ///
  /// - Parameter make: makes a view model for each view, on the loop that is its clock; it is also asked once to
  ///   describe the screen, so it starts nothing.
  public static func stdio<Model: ViewModel>(_ make: @escaping (EventLoop) -> Model) -> Never {
    do throws(SystemError) {
      let loop = try EventLoop()
      let service = Service(clock: loop)
      service.add(Screen { make(loop) })
      let end = try StdioTransport(service, on: loop).run()
      CurrentProcess.exit(end == .exit(isOrderly: false) ? .failure : .success)
    } catch {
      CurrentProcess.log("\(Model.self): \(error)\n")
      CurrentProcess.exit(.failure)
    }
  }
}
