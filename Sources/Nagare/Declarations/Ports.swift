/// The inputs of a view model: a structure whose properties are ``Port``s, a ``Presenter`` where it has tasks for the
/// user, or inputs of another view model, which stand for theirs.
public protocol Ports: Encodable, SendableMetatype {
  /// A set of ports of its own for each view.
  init()
}

/// Inputs with configured names, which differ between screens of one kind. They list themselves.
package protocol ConfiguredPorts: Ports {}

extension Ports {
  /// Collects the inputs, so that each port gets its name.
  package func listed() throws -> Self {
    let found = PropertyCollector.Found(isThorough: false)
    PropertyCollector.collect(self, in: "\(Self.self)", into: found)
    try found.check()
    return self
  }
}
