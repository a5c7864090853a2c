internal import Nagare
internal import WireJSON

/// The display of a screen, with its location in the configuration.
struct DisplayConfiguration: JSONValue, Sendable {
  let display: Display
  private let place: RawJSON?

  init(_ display: Display) { (self.display, place) = (display, nil) }

  init(json: RawJSON) throws(DecodingFailure) { (display, place) = (try Display(json: json), json) }

  static func decode(_ json: RawJSON, in context: inout DecodingContext) -> DisplayConfiguration? {
    Display.decode(json, in: &context).map { DisplayConfiguration($0, json) }
  }

  private init(_ display: Display, _ place: RawJSON) { (self.display, self.place) = (display, place) }

  var json: RawJSON { place ?? display.json }

  func write(to writer: inout JSONWriter) { display.write(to: &writer) }

  static var schema: JSONSchema { Display.schema }
}

/// The description of a screen's field `display`.
let displaySummary = "How frontends show the screen. By default, they guess from the items."
