/// The inputs of a view model: a structure whose properties are ``Port``s, a ``Presenter`` where it has tasks for the
/// user, or inputs of another view model, which stand for theirs.
public protocol Ports: Encodable, SendableMetatype {
  /// A set of ports of its own for each view.
  init()
}

/// Inputs whose names are configured, so that two screens of one kind have different ones: they list themselves.
package protocol ConfiguredPorts: Ports {}

extension Ports {
  /// Lists the inputs, so that each port has its name.
  package func listed() throws -> Self {
    let found = PropertyCollector.Found(isThorough: false)
    PropertyCollector.collect(self, in: "\(Self.self)", into: found)
    try found.check()
    return self
  }
}
