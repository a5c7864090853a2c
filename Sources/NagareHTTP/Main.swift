internal import HTTPSettings
internal import Reactor
internal import WireJSON

/// The program `nagare-http`. It loads pages from one web server: it reads requests `source/page` from standard input,
/// and writes answers to standard output.
@main
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
    guard let text = words.first, words.count == 1 else { end(.usage, usage) }
    if text == "--help" || text == "-h" {
      print(usage, terminator: "")
      CurrentProcess.exit(.success)
    }
    do throws(ConfigurationError) {
      let configuration = try HTTPSourceConfiguration(argument: text)
      do throws(SystemError) {
        try converse(configuration)
      } catch {
        end(.failure, "nagare-http: \(error)\n")
      }
    } catch {
      end(.configuration, "\(error.description)\n")
    }
  }

  private static func converse(_ configuration: HTTPSourceConfiguration) throws(SystemError) {
    // If a server or a reader closes the connection during a write, only that write fails, and the program continues.
    Signals.ignoreFailedWrites()
    let (loop, streams) = (try EventLoop(), try StandardStreams())
    let source = HTTPSource(
      configuration, by: HTTPClient(on: loop), on: loop, seed: UInt64.random(in: 0...(.max)),
      environment: CurrentProcess.environment)
    let live = configuration.live.map { LiveSource(source, $0, limit: configuration.maxResponseSize, on: loop) }
    Conversation(with: source, live, on: loop, streams).run()
    CurrentProcess.exit(.success)
  }

  /// Reports on standard error why the program ends.
  private static func end(_ code: CurrentProcess.ExitCode, _ reason: String) -> Never {
    CurrentProcess.writeError(reason)
    CurrentProcess.exit(code)
  }
}

/// All mistakes in the configuration, one on each line, with their locations and remedies.
struct ConfigurationError: Error, CustomStringConvertible {
  let description: String
}

extension HTTPSourceConfiguration {
  /// Reads the command-line argument.
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
