internal import Flow
internal import WireJSON

/// A view model made ready for the wire: its inputs and outputs by the names of their properties, in their order.
struct Assembly {
  let inputs: [(name: String, port: any InputPort)]
  let outputs: [OutputSlot]

  init<Model: ViewModel>(_ model: Model, on clock: any Scheduler) {
    let input = Model.Input()
    inputs = Mirror(reflecting: input).children.compactMap { child in
      guard let name = child.label, let port = child.value as? any InputPort else { return nil }
      return (name, port)
    }
    outputs = Mirror(reflecting: model.transform(input, on: clock)).children.map { child in
      guard let name = child.label, let stream = child.value as? any OutputStream else {
        // A mistake in the program, found when the screen is defined, before anything is served.
        preconditionFailure(
          "\(Model.self).Output.\(child.label ?? "?") is a \(type(of: child.value)); it must be an Observable of an OutputValue"
        )
      }
      return stream.makeSlot(named: name)
    }
  }
}

/// An `Observable` whose values can be said on the wire, whatever they are.
protocol OutputStream {
  func makeSlot(named name: String) -> OutputSlot
}

extension Observable: OutputStream where Element: OutputValue {
  func makeSlot(named name: String) -> OutputSlot { Element.makeSlot(named: name, for: self) }
}
