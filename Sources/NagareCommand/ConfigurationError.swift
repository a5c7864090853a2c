/// What is wrong with a configuration: everything, a line each, with the place and the remedy.
package struct ConfigurationError: Error, CustomStringConvertible {
  package let description: String
}
