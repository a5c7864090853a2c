/// The inputs of a view model: a structure of ``Port``s. It may also have a ``Presenter``, to show tasks to the user,
/// and the inputs of other view models, which become inputs of this one.
public protocol Ports: Encodable, SendableMetatype {
  /// Creates new ports. Each view has its own.
  init()
}

/// Inputs whose names come from the configuration. Screens of one kind can have different ones, so these structures
/// list their inputs themselves.
package protocol ConfiguredPorts: Ports {}

extension Ports {
  /// Gives each port its name, and returns the same inputs.
  package func listed() throws -> Self {
    let found = PropertyCollector.Found(isThorough: false)
    PropertyCollector.collect(self, in: "\(Self.self)", into: found)
    try found.check()
    return self
  }
}
