// A test of a view model imports this module, and has the marbles with it.
@_exported public import FlowTesting
