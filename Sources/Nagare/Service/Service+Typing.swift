internal import RPC
internal import WireJSON

extension Service {
  /// Returns what to show a person at a terminal whose line isn't a message, or has no effect.
  func hint(after mistyping: Peer.Mistyping) -> String {
    let (reason, line) =
      switch mistyping {
      case .blank: ("", "")
      case .unusable(let line): ("", line)
      case .unanswered(let reason): ("nothing was done: \(reason)\n", "")
      }
    return "\(reason)type one message a line, such as \(example(like: line))\n"
  }

  /// Returns a message to type next: for the method that a line begins with, or else one that works now.
  private func example(like line: String) -> String {
    if phase == .shutDown { return message(Exit.name) }
    let inputs = newestView?.inputs ?? []
    let names = inputs.map(\.name) + callable
    let word = String(line.prefix { $0.isLetter || "._/".contains($0) })
    if let method = nearestName(to: word, in: names) { return message(method) }
    if newestView == nil { return message(screens.isEmpty ? Ping.name : Open.name) }
    return message(inputs.first { required($0.port.parameters).isEmpty }?.name ?? CurrentOutputs.name)
  }

  /// Returns a request of a method, with the parameters that it needs.
  private func message(_ method: String) -> String {
    let input = newestView?.inputs.first { $0.name == method }
    var params: [(name: String, value: RawJSON)] = []
    if method == Open.name, let screen = easiestScreen {
      params.append(("screen", screen.name.json))
      if !required(screen.parameters).isEmpty { params.append(("params", screen.parameters.example)) }
    } else {
      if let view = newestView, viewCount > 1, input != nil || method == CurrentOutputs.name || method == Close.name {
        params.append(("view", view.name.json))
      }
      let schema = input?.port.parameters ?? Service.sessionMethods.first { $0.name == method }?.params
      params += required(schema).map { ($0.name, $0.schema.example) }
    }
    var writer = JSONWriter()
    writer.beginMessage()
    writer.member("id", 1)
    writer.member("method", method)
    if !params.isEmpty {
      writer.key("params")
      writer.beginObject()
      for (name, value) in params {
        writer.key(name)
        writer.raw(value)
      }
      writer.endObject()
    }
    writer.endObject()
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  /// A screen that needs no parameters, if there is one.
  private var easiestScreen: Screen? {
    let openable = screens.filter(\.isOpenable)
    return openable.first { required($0.parameters).isEmpty } ?? openable.first
  }

  private func required(_ parameters: JSONSchema?) -> [JSONSchema.Property] {
    parameters?.properties.filter(\.isRequired) ?? []
  }
}
