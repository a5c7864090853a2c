internal import Dispatch
internal import Foundation
internal import HTTPSettings
internal import Reactor
internal import WireJSON

/// The program: pages of one web server, asked for on standard input by `source/page` and answered on standard output.
@main
@MainActor
enum Main {
  private static let usage = """
    usage: nagare-http CONFIGURATION

    Answers source/page as JSON-RPC 2.0 on standard input and output, with pages that a web server gives.
    CONFIGURATION is a source's part of nagare's configuration, as JSON:

      nagare-http '{"url": "https://example.org/items?page={page}&per_page={size}"}'

    """

  static func main() {
    StandardStreams.openClosed()
    let words = CommandLine.arguments.dropFirst()
    guard let text = words.first, words.count == 1 else { end(64, usage) }
    if text == "--help" || text == "-h" {
      print(usage, terminator: "")
      exit(0)
    }
    do throws(ConfigurationError) {
      let configuration = try HTTPSourceConfiguration(argument: text)
      // A server that hangs up while it is written to must end the request, not the program.
      signal(SIGPIPE, SIG_IGN)
      let source = HTTPSource(configuration, environment: ProcessInfo.processInfo.environment)
      Conversation(with: source).begin()
      dispatchMain()
    } catch {
      end(78, "\(error.description)\n")
    }
  }

  /// Says why on standard error, and ends the program (numbers of `sysexits.h`).
  private static func end(_ code: Int32, _ reason: String) -> Never {
    try? FileHandle.standardError.write(contentsOf: Data(reason.utf8))
    exit(code)
  }
}

/// What is wrong with the configuration: everything, a line each, with its place and the remedy.
struct ConfigurationError: Error, CustomStringConvertible {
  let description: String
}

extension HTTPSourceConfiguration {
  /// Reads the command line's argument.
  init(argument text: String) throws(ConfigurationError) {
    let bytes = Array(text.utf8)
    let json: RawJSON
    do throws(JSONError) {
      json = try RawJSON(validating: bytes)
    } catch {
      let place = SourceLocation(of: error.offset, in: bytes)
      throw ConfigurationError(description: "nagare-http: configuration:\(place): not JSON: \(error.message)")
    }
    var context = DecodingContext(unknownMembers: .reported)
    let decoded = HTTPSourceConfiguration.decode(json, in: &context)
    guard let decoded, context.failures.isEmpty else {
      let failures = context.failures.map { failure in
        "nagare-http: configuration:\(SourceLocation(of: failure.offset, in: bytes)): \(failure.message)"
      }
      throw ConfigurationError(description: failures.joined(separator: "\n"))
    }
    self = decoded
  }
}
