/// A mistake in the declaration of a view model's inputs or outputs. The text names the property and explains the
/// correction.
struct DeclarationError: Error, Equatable, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }

  static func notListed(_ path: String, _ type: Any.Type) -> DeclarationError {
    DeclarationError(
      "\(path) is \(named(type)); an input must be a Port, a Trigger, a Presenter, or the inputs of another view"
        + " model; an output must be a Driver, a Signal whose values can be sent, or a structure of outputs")
  }

  static func unreadableInput(_ path: String) -> DeclarationError {
    DeclarationError(
      "\(path) is a port of another view model's state, which can't be called from outside, so it can't be an input")
  }

  static func unnamedParameter(_ path: String, _ type: Any.Type) -> DeclarationError {
    DeclarationError(
      "\(path) is \(named(type)) whose value has no fields that could be its parameters; name its one parameter, as"
        + " in Port<Int>(\"seconds\")")
  }

  static func absent(_ path: String, _ type: Any.Type) -> DeclarationError {
    DeclarationError("\(path) is nil; every view has all its inputs and outputs, so declare \(named(type))")
  }

  static func usedTwice(_ path: String, _ name: String) -> DeclarationError {
    DeclarationError(
      "\(path) is the same port as the input \"\(name)\"; create a separate port, and connect"
        + " the two with forward(to:)")
  }

  static func repeatedMember(_ path: String, _ member: String) -> DeclarationError {
    DeclarationError("\(path) has values that declare the field \"\(member)\" twice; rename one of them")
  }

  static func takenParameter(_ path: String, _ parameter: String) -> DeclarationError {
    DeclarationError(
      "\(path) has a parameter called '\(parameter)', which every input has already;"
        + " rename it")
  }

  static func takenInputName(_ path: String) -> DeclarationError {
    DeclarationError(
      "\(path) has the name of one of the session's own methods, so that no client could call it;"
        + " rename the property")
  }

  static func takenOutputName(_ path: String) -> DeclarationError {
    DeclarationError(
      "\(path) has a reserved name: the server sends it as a notification when a view has closed;"
        + " rename the property")
  }

  static func repeated(_ path: String, _ kind: String) -> DeclarationError {
    DeclarationError(
      "\(path) has the same name as another \(kind) of this view model, or of a view model that it contains;"
        + " rename the property, or wrap the contained view model's with @Nested")
  }

  static func noOutput(_ path: String, _ type: Any.Type) -> DeclarationError {
    DeclarationError(
      "\(path) is \(named(type)), whose values can't be sent; use Encodable values, such as numbers, strings"
        + " and arrays, or Navigation; for a list, use a Driver")
  }
}

/// Returns the type's name after "a" or "an".
private func named(_ type: Any.Type) -> String {
  let type = "\(type)"
  return "\(type.first.map("AEIOU".contains) == true ? "an" : "a") \(type)"
}
