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
  /// The screen and its kind of view model are named after the type, with a small first letter: `clock`.
  ///
  /// - Parameter make: makes a view model for each view, on the loop that is its clock; it is also asked once to
  ///   describe the screen, so it starts nothing.
  public static func stdio<Model: ViewModel>(_ make: @escaping (_ loop: EventLoop) -> Model) -> Never {
    stdio { service, loop in service.add(Screen { make(loop) }) }
  }

  /// Serves several screens on standard input and output, until the conversation ends: a whole program.
  ///
  /// ```swift
  /// Service.stdio { service, loop in
  ///   let cart = Store(Cart(), on: service.dispatcher).taking("add", of: Product.self) { $0.products.append($1) }
  ///   service.add(Screen { Products(cart) })
  ///   service.add(Screen("product", parameter: "id") { id in ProductDetail(id, cart) })
  /// }
  /// ```
  /// Who has options of its own makes a ``Service``, and runs a ``StdioTransport``.
  ///
  /// - Parameter define: adds the screens to the service, whose clock is the loop.
  public static func stdio(_ define: (_ service: Service, _ loop: EventLoop) -> Void) -> Never {
    Signals.catchTermination(timeout: 1)
    do throws(SystemError) {
      let loop = try EventLoop()
      let service = Service(clock: loop)
      define(service, loop)
      CurrentProcess.exit(try StdioTransport(service, on: loop).run().exitCode)
    } catch {
      CurrentProcess.complain("\(error)\n")
      CurrentProcess.exit(.failure)
    }
  }
}
