internal import RPC
internal import WireJSON

/// Lists the screens.
enum Screens: SessionMethod {
  static var name: String { "screens" }
  static var summary: String { "The screens that can be opened." }
  static var result: JSONSchema? { ScreensResult.schema }

  static func run(_ call: Call, in service: Service) -> Answer {
    let descriptions = service.screens.map { screen in
      ScreenDescription(
        screen: screen.name, viewModel: screen.viewModel, inputs: screen.prototype.inputs.map(\.name),
        outputs: screen.prototype.outputs.map(\.name))
    }
    return .result(ScreensResult(screens: descriptions).write)
  }
}

private struct ScreensResult: Record {
  let screens: [ScreenDescription]

  static let fields = Fields(ScreensResult.init, Field("screens", \.screens, "The screens that can be opened."))
}

private struct ScreenDescription: Record {
  let screen: String
  let viewModel: String
  let inputs: [String]
  let outputs: [String]

  static let fields = Fields(
    ScreenDescription.init,
    Field("screen", \.screen, "The name of the screen, for open."),
    Field("viewModel", \.viewModel, "The kind of the view model."),
    Field("inputs", \.inputs, "The inputs of its views."),
    Field("outputs", \.outputs, "The outputs of its views."))
}

/// Opens a view of a screen.
struct Open: ParameterizedMethod {
  static var name: String { "open" }
  static var summary: String { "Opens a view of a screen. This loads nothing yet." }
  static let names: ParameterNames? = ParameterNames(["screen", "view", "params", "wait"])
  static var errors: [RPCError.Code] { [.invalidParams, .noSuchScreen, .viewTaken, .limitPassed] }
  static var result: JSONSchema? {
    JSONSchema(properties: [
      JSONSchema.Property("view", String.schema.described("The name of the view.")),
      JSONSchema.Property("screen", String.schema),
      JSONSchema.Property("viewModel", String.schema),
      JSONSchema.Property(
        "outputs", JSONSchema(type: .object).described("The current values, by the names of the outputs.")),
    ])
  }

  let screen: String
  let view: String?
  let parameters: RawJSON?

  static let fields = Fields(
    Open.init,
    Field("screen", \.screen, "The screen to open."),
    Field("view", \.view, "A name for the view. By default, the next free one of v1, v2, …"),
    Field("params", \.parameters, "Parameters of this view, in place of the screen's own."))

  func run(in service: Service) throws(RPCError) -> Answer {
    guard let screen = service.screen(screen) else {
      let known = ["screens": service.screenNames]
      let near = suggestion(for: self.screen, in: service.screenNames)
      throw RPCError(.noSuchScreen, "no screen is named \"\(self.screen)\"\(near)", data: known)
    }
    if view?.isEmpty == true { throw RPCError("view", mustBe: "a string of one character or more") }
    // Unpaired escaped surrogates are all decoded as U+FFFD, so different names would become the same.
    if view?.unicodeScalars.contains("\u{FFFD}") == true {
      throw RPCError(
        "view", mustBe: "a string without U+FFFD, which replaces a single escaped surrogate")
    }
    if let view, service.view(view) != nil {
      throw RPCError(.viewTaken, "a view named \"\(view)\" is open already")
    }
    let opened = try service.open(screen, parameters, name: view)
    return .result { writer in
      writer.beginObject()
      writer.member("view", opened.name)
      writer.member("screen", opened.screen)
      writer.member("viewModel", opened.viewModel)
      writer.key("outputs")
      opened.writeOutputs(to: &writer)
      writer.endObject()
    }
  }
}

/// The parameter that names the view.
struct ViewParams: Record {
  let view: String?

  static let fields = Fields(
    ViewParams.init, Field("view", \.view, "The view. It may be left out while exactly one is open."))
}

/// Returns the current values of a view's states.
enum CurrentOutputs: SessionMethod {
  static var name: String { "outputs" }
  static var summary: String { "Returns the current values of a view." }
  static var params: JSONSchema { ViewParams.schema }
  static var result: JSONSchema? {
    JSONSchema(properties: [JSONSchema.Property("outputs", JSONSchema(type: .object))])
  }
  static var names: ParameterNames? { .ofEveryInput }
  static var errors: [RPCError.Code] { [.invalidParams, .noSuchView] }

  static func run(_ call: Call, in service: Service) throws(RPCError) -> Answer {
    let view = try service.view(meantBy: call.params)
    return .result { writer in
      writer.beginObject()
      writer.key("outputs")
      view.writeOutputs(to: &writer)
      writer.endObject()
    }
  }
}

/// Closes a view.
enum Close: SessionMethod {
  static var name: String { "close" }
  static var summary: String { "Closes a view and all views that it opened." }
  static var params: JSONSchema { ViewParams.schema }
  static var names: ParameterNames? { .ofEveryInput }
  static var errors: [RPCError.Code] { [.invalidParams, .noSuchView] }

  static func run(_ call: Call, in service: Service) throws(RPCError) -> Answer {
    service.close(try service.view(meantBy: call.params))
    return .empty
  }
}
