internal import Flow
internal import WireJSON

/// A view model made ready for the wire: its inputs and outputs by the names of their properties, in their order.
struct Assembly {
  private(set) var inputs: [(name: String, port: any InputPort)] = []
  private(set) var presenters: [Presenter] = []
  private(set) var outputs: [OutputSlot] = []

  init<Model: ViewModel>(_ model: Model, on clock: any Scheduler) {
    let input = model.makeInput()
    addInputs(of: input)
    addOutputs(of: model.transform(input, on: clock), in: "\(Model.self).Output")
  }

  private mutating func addInputs(of ports: any Ports) {
    for (label, value) in Mirror(reflecting: ports).children {
      switch value {
      case let port as any InputPort: if let label { inputs.append((label, port)) }
      case let presenter as Presenter: presenters.append(presenter)
      case let ports as any Ports: addInputs(of: ports)
      default: break
      }
    }
  }

  private mutating func addOutputs(of streams: Any, in path: String) {
    for (label, value) in Mirror(reflecting: streams).children {
      let path = "\(path).\(label ?? "?")"
      if let stream = value as? any OutputStream {
        outputs.append(stream.makeSlot(named: label ?? "?"))
      } else {
        // A mistake in the program, found when the screen is defined, before anything is served.
        precondition(
          !(value is any AnyStream) && !Mirror(reflecting: value).children.isEmpty,
          "\(path) is a \(type(of: value)); it must be an Observable of an OutputValue")
        addOutputs(of: value, in: path)
      }
    }
  }
}

/// An `Observable`, whatever its values are.
protocol AnyStream {}

extension Observable: AnyStream {}

/// An `Observable` whose values can be said on the wire, whatever they are.
protocol OutputStream {
  func makeSlot(named name: String) -> OutputSlot
}

extension Observable: OutputStream where Element: OutputValue {
  func makeSlot(named name: String) -> OutputSlot { Element.makeSlot(named: name, for: self) }
}
