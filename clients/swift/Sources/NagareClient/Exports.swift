// Whoever writes a client has the types that it shares with its server, and JSON, at hand.
@_exported public import Nagare
