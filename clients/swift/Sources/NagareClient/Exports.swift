// Whoever writes a client has the types that it shares with its server, and JSON, at hand.
@_exported public import Nagare
@_exported public import class Reactor.ChildProcess
@_exported public import struct Reactor.Descriptor
