// Tests that import this module can use `Marbles`, too.
@_exported public import FlowTesting
