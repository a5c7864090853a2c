public import Nagare

/// The definition of a screen.
public struct ScreenDescription: Record, Sendable {
  /// The screen's name.
  public let name: String
  /// The kind of view model: `list`, `search`, `pager`, `choice`, `task`, `feed`, or the server's own.
  public let viewModel: String
  /// The names of the inputs.
  public let inputs: [String]
  /// The names of the outputs.
  public let outputs: [String]

  /// The fields in messages.
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
  /// Describes a screen that the server doesn't list.
  init(unknown name: String, _ outputs: RawJSON) {
    self.init(name: name, viewModel: "", inputs: [], outputs: outputs.members.map(\.key.string))
  }
}
