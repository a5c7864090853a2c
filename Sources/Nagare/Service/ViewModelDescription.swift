internal import WireJSON

/// A kind of view model, as a generator of clients needs to know it: apart from the others that share a name with it.
struct ViewModelDescription {
  private let screen: Screen

  /// The kind of a screen that is of it.
  init(of screen: Screen) { self.screen = screen }

  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("viewModel", screen.viewModel)
    if let summary = screen.summary(of: "") { writer.member("summary", summary) }
    if screen.isMadeByConfiguration { writer.member("configured", true) }
    writer.key("inputs")
    writer.beginArray()
    for (name, port) in screen.prototype.inputs {
      begin(name, in: &writer)
      writer.member("params", port.parameters)
      writer.endObject()
    }
    writer.endArray()
    writer.key("outputs")
    writer.beginArray()
    for output in screen.prototype.outputs {
      begin(output.name, in: &writer)
      writer.member("kind", output.kind.rawValue)
      writer.member("value", output.schema)
      writer.endObject()
    }
    writer.endArray()
    writer.endObject()
  }

  private func begin(_ name: String, in writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("name", name)
    if let summary = screen.summary(of: name) { writer.member("summary", summary) }
  }
}

/// What becomes of an output's values, by its type.
enum OutputKind: String {
  /// There always is a current one, and each that differs from the one before is said.
  case state
  /// As a state, with a revision; changes may be splices.
  case list
  /// Something happened: none is ever current, and each is said.
  case event
}
