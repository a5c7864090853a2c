internal import Flow
internal import RPC
public import WireJSON

/// The definition of a screen: a name, a view model and its parameters. A view is one opened screen.
///
/// ```swift
/// Screen("articles", viewModel: "articles") { Articles(load: load) }
/// Screen("message", viewModel: "message", example: MessageParameters(id: "1")) { Message($0.id) }
/// ```
public struct Screen {
  /// The name that `open` asks for.
  public let name: String
  /// The name of the kind of view model.
  public let viewModel: String
  let prototype: Assembly
  let parameters: JSONSchema
  let isOpenable: Bool
  let assemble: (RawJSON?, any Scheduler) throws(RPCError) -> Assembly

  /// A screen that a client opens with parameters of its own.
  ///
  /// - Parameters:
  ///   - name: the name that `open` asks for.
  ///   - viewModel: the name of the kind of view model.
  ///   - example: parameters that it could be opened with, to describe it by.
  ///   - make: makes a view model for each view, by what `open`'s `params` are read as; unknown keys are refused. It is
  ///     also asked once with the example, to describe the screen, so it starts nothing.
  public init<Model: ViewModel, Parameters: Record>(
    _ name: String, viewModel: String, example: Parameters, _ make: @escaping (Parameters) -> Model
  ) {
    self.name = name
    self.viewModel = viewModel
    self.parameters = Parameters.schema
    isOpenable = true
    assemble = { json, clock throws(RPCError) in
      Assembly(make(try Parameters(strictly: json)), on: clock)
    }
    prototype = Assembly(make(example), on: VirtualScheduler())
  }

  /// A screen without parameters.
  ///
  /// - Parameters:
  ///   - name: the name that `open` asks for.
  ///   - viewModel: the name of the kind of view model.
  ///   - make: makes a view model for each view; it is also asked once to describe the screen, so it starts nothing.
  public init<Model: ViewModel>(_ name: String, viewModel: String, _ make: @escaping () -> Model) {
    self.name = name
    self.viewModel = viewModel
    parameters = JSONSchema(properties: [])
    isOpenable = true
    assemble = { json, clock throws(RPCError) in
      if let json, json.kind != .object { throw RPCError("params", mustBe: "an object") }
      if let key = json?.members.first(where: { _ in true })?.key {
        throw RPCError("params.\(key)", mustBe: "left out: this screen has no parameters")
      }
      return Assembly(make(), on: clock)
    }
    prototype = Assembly(make(), on: VirtualScheduler())
  }

  /// A screen without parameters, named after the type of its view model with a small first letter, and so is the kind
  /// of view model.
  ///
  /// ```swift
  /// service.add(Screen { Counter() })  // "counter"
  /// ```
  ///
  /// - Parameter make: makes a view model for each view; it is also asked once to describe the screen, so it starts
  ///   nothing.
  public init<Model: ViewModel>(_ make: @escaping () -> Model) {
    let type = String(describing: Model.self).prefix { $0 != "<" }
    let name = type.prefix(1).lowercased() + type.dropFirst()
    self.init(name, viewModel: name, make)
  }

  /// A screen that only other views open, by a ``Navigation``.
  ///
  /// - Parameters:
  ///   - name: the name by which the navigation knows it.
  ///   - viewModel: the name of the kind of view model.
  ///   - prototype: a view model of that kind, which describes the screen and is never opened.
  public init<Model: ViewModel>(_ name: String, viewModel: String, openedByOthersLike prototype: Model) {
    self.name = name
    self.viewModel = viewModel
    parameters = JSONSchema(properties: [])
    isOpenable = false
    assemble = { _, _ throws(RPCError) in
      throw RPCError("screen", mustBe: "one that a client can open; \(name) is opened by another view's input")
    }
    self.prototype = Assembly(prototype, on: VirtualScheduler())
  }
}
