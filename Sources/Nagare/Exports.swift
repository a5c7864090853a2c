// Whoever writes a view model imports this one module and has streams, items, pages, JSON and the loop at hand. What these
// targets keep to the package, such as the conversation and the loop's insides, isn't brought along.
@_exported public import Flow
@_exported public import ItemList
@_exported public import Paging
@_exported public import RPC
@_exported public import Reactor
@_exported public import WireJSON
