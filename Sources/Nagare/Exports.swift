// Whoever writes a view model imports this one module and has streams, JSON and the loop at hand.
@_exported public import Flow
@_exported public import ItemList
@_exported public import Paging
@_exported public import RPC
@_exported public import Reactor
@_exported public import WireJSON
