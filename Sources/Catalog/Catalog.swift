import WireJSON
