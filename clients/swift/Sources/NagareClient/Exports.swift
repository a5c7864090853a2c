// A client uses the same types as its server, and JSON, so it needs no import of `Nagare`.
@_exported public import Nagare
