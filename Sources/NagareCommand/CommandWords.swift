internal import Nagare
internal import WireJSON

/// A program and its arguments. There is at least the program.
struct CommandWords: JSONValue, Sendable {
  let words: [String]

  init(json: RawJSON) throws(DecodingFailure) {
    // An argument can't contain the byte zero, because the system uses it to end arguments.
    let words = (try? [String](json: json)) ?? []
    guard words.first?.isEmpty == false, !words.contains(where: { $0.utf8.contains(0) }) else {
      throw DecodingFailure(expected: "a program and its arguments, such as [\"python3\", \"rows.py\"]", in: json)
    }
    self.words = words
  }

  func write(to writer: inout JSONWriter) { words.write(to: &writer) }

  static var schema: JSONSchema { [String].schema }
}
