// An author of view models imports only this module. It exports streams, items, pages, JSON and the event loop.
// Declarations of these targets with `package` access, such as the JSON-RPC peer, aren't exported.
@_exported public import Flow
@_exported public import ItemList
@_exported public import Paging
@_exported public import RPC
@_exported public import Reactor
@_exported public import WireJSON
