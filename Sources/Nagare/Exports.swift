// Whoever writes a view model imports this one module and has streams, items, pages and JSON at hand; of the conversation and
// of the loop, just what a view model's own signatures name.
@_exported public import Flow
@_exported public import ItemList
@_exported public import Paging
@_exported public import struct RPC.RPCError
@_exported public import class Reactor.EventLoop
@_exported public import class Reactor.Mailbox
@_exported public import class Reactor.RemoteObserver
@_exported public import struct Reactor.SystemError
@_exported public import WireJSON
