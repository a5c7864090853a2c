public import Nagare

/// A screen that can be opened.
public struct ScreenDescription: Record, Sendable {
  /// Its name.
  public let name: String
  /// The kind of its behaviour: `list`, `search`, `pager`, `choice`, `task`, `feed`, or the server's own.
  public let viewModel: String
  /// The names of its inputs.
  public let inputs: [String]
  /// The names of its outputs.
  public let outputs: [String]

  /// Its members on the wire.
  public static let fields = Fields(
    ScreenDescription.init(name:viewModel:inputs:outputs:),
    Field("screen", \.name), Field("viewModel", \.viewModel), Field("inputs", \.inputs), Field("outputs", \.outputs))

  static func list(_ result: RawJSON) throws -> [ScreenDescription] {
    do throws(DecodingFailure) {
      return try [ScreenDescription](json: result.member("screens") ?? .null)
    } catch {
      throw ProtocolError(description: "the server broke the protocol: of \"screens\", \(error.message)")
    }
  }
}

extension ScreenDescription {
  /// A screen of which the server hasn't told.
  init(unknown name: String, _ outputs: RawJSON) {
    self.init(name: name, viewModel: "", inputs: [], outputs: outputs.members.map(\.key.string))
  }
}
