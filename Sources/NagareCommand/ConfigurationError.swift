/// All mistakes in a configuration, one on each line, with their locations and remedies.
package struct ConfigurationError: Error, CustomStringConvertible {
  package let description: String
}
