internal import Flow
internal import WireJSON

/// A view model made ready for the wire: its inputs and outputs by the names of their properties, in their order.
struct Assembly {
  private(set) var inputs: [(name: String, port: any InputPort)] = []
  private(set) var presenters: [Presenter] = []
  private(set) var outputs: [OutputSlot] = []

  init<Model: ViewModel>(_ model: Model, on clock: any Scheduler) {
    do throws(DeclarationMistake) {
      try self.init(checking: model, on: clock)
    } catch {
      // A mistake in the program, which no input can make: it depends on the types of the properties alone. It is
      // found when the screen is defined, or, where that is left out to start sooner, when it is first described or
      // opened; a program's tests reach both.
      fatalError(error.description)
    }
  }

  /// - Throws: what is wrong with the declaration of the view model's inputs or outputs.
  init<Model: ViewModel>(checking model: Model, on clock: any Scheduler) throws(DeclarationMistake) {
    let input = model.makeInput()
    try addInputs(of: input, in: "\(Model.self).Input")
    try addOutputs(of: model.transform(input, on: clock), in: "\(Model.self).Output")
  }

  private mutating func addInputs(of ports: any Ports, in path: String) throws(DeclarationMistake) {
    for (label, value) in Mirror(reflecting: ports).children {
      let name = label ?? "?"
      switch value {
      case let port as any InputPort:
        if Service.methods.contains(name) { throw .takenInputName("\(path).\(name)") }
        if port.lacksName { throw .unnamedParameter("\(path).\(name)", port) }
        if inputs.contains(where: { $0.name == name }) { throw .repeated("\(path).\(name)", "input") }
        inputs.append((name, port))
      case let presenter as Presenter: presenters.append(presenter)
      case let ports as any Ports: try addInputs(of: ports, in: "\(path).\(name)")
      default: throw .noInput("\(path).\(name)", value)
      }
    }
  }

  private mutating func addOutputs(of streams: Any, in path: String) throws(DeclarationMistake) {
    for (label, value) in Mirror(reflecting: streams).children {
      let name = label ?? "?"
      if let slot = (value as? any OutputStream)?.makeSlot(named: name) {
        if name == "closed" { throw .takenOutputName("\(path).\(name)") }
        if outputs.contains(where: { $0.name == name }) { throw .repeated("\(path).\(name)", "output") }
        outputs.append(slot)
      } else if value is any ObservableConvertible || Mirror(reflecting: value).children.isEmpty {
        throw .noOutput("\(path).\(name)", value)
      } else {
        try addOutputs(of: value, in: "\(path).\(name)")
      }
    }
  }
}

/// An `Observable`, whatever its values are.
private protocol OutputStream {
  /// Nil if the values can't be said on the wire.
  func makeSlot(named name: String) -> OutputSlot?
}

extension Observable: OutputStream {
  func makeSlot(named name: String) -> OutputSlot? {
    func slot<Value: OutputValue>(_ type: Value.Type) -> OutputSlot? {
      (self as? Observable<Value>).map { Value.makeSlot(named: name, for: $0) }
    }
    func plainSlot<Value: Encodable>(_ type: Value.Type) -> OutputSlot? {
      (self as? Observable<Value>).map { ValueSlot(name, $0, schema: JSONSchema(of: type)) }
    }
    if let type = Element.self as? any OutputValue.Type { return slot(type) }
    return (Element.self as? any Encodable.Type).flatMap { plainSlot($0) }
  }
}

/// What is wrong with a view model's inputs or outputs, with the remedy, for who wrote them.
struct DeclarationMistake: Error, Equatable, CustomStringConvertible {
  let description: String

  static func noInput(_ path: String, _ value: Any) -> DeclarationMistake {
    DeclarationMistake(
      description:
        "\(path) is \(kind(of: value)); it must be a Port, a Trigger, a Presenter, or the inputs of another"
        + " view model")
  }

  static func unnamedParameter(_ path: String, _ port: Any) -> DeclarationMistake {
    DeclarationMistake(
      description: "\(path) is \(kind(of: port)) whose value has no members to be the parameters; name the one"
        + " parameter, as in Port<Int>(\"seconds\")")
  }

  static func takenInputName(_ path: String) -> DeclarationMistake {
    DeclarationMistake(
      description: "\(path) has the name of one of the session's own methods, which a client could never get past;"
        + " name the property otherwise")
  }

  static func takenOutputName(_ path: String) -> DeclarationMistake {
    DeclarationMistake(
      description: "\(path) has the name of the session's own notification that a view was closed;"
        + " name the property otherwise")
  }

  static func repeated(_ path: String, _ kind: String) -> DeclarationMistake {
    DeclarationMistake(
      description: "\(path) has the name of another \(kind), which stands before it or in a view model's that is held;"
        + " name the property otherwise")
  }

  static func noOutput(_ path: String, _ value: Any) -> DeclarationMistake {
    let remedy =
      switch value {
      case is any OutputStream:
        "its values can't be said on the wire; they must be Encodable, as numbers, strings and arrays of them are, or"
          + " Items, or a Navigation"
      case is any ObservableConvertible: "it must be an Observable; asObservable() makes it one"
      default: "it must be an Observable, or a structure of Observables"
      }
    return DeclarationMistake(description: "\(path) is \(kind(of: value)); \(remedy)")
  }
}

/// A value's type, with its article.
private func kind(of value: Any) -> String {
  let type = "\(type(of: value))"
  return "\(type.first.map("AEIOU".contains) == true ? "an" : "a") \(type)"
}
