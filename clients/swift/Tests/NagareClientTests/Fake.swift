import Foundation
import Reactor
import Testing

@testable import NagareClient

/// A fake server that sends the messages that a test chooses.
final class Fake: Sendable {
  private let descriptor: Descriptor
  private let lines: AsyncStream<RawJSON>

  private init(_ descriptor: Descriptor) {
    self.descriptor = descriptor
    let (lines, continuation) = AsyncStream<RawJSON>.makeStream()
    self.lines = lines
    Thread.detachNewThread {
      var (rest, buffer): ([UInt8], [UInt8]) = ([], Array(repeating: 0, count: 65_536))
      while case .bytes(let count)? = try? descriptor.read(into: &buffer), count > 0 {
        rest += buffer[..<count]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
          if let message = try? RawJSON(validating: Array(rest[..<end])) { continuation.yield(message) }
          rest.removeFirst(end + 1)
        }
      }
      continuation.finish()
    }
  }

  deinit {
    end()
    descriptor.close()
  }

  static let screens = #"""
    [{"screen":"rows","viewModel":"list","inputs":["viewWillAppear","refresh","select"],
    "outputs":["items","loading","error","state","navigate","rang"]},
    {"screen":"row","viewModel":"pager","inputs":["swipe"],"outputs":["page"]},
    {"screen":"tasks","viewModel":"task","inputs":["rename"],"outputs":["name","error"]}]
    """#

  /// Returns a fake server and a session with it.
  static func serve(answering handlers: Handlers = Handlers()) async throws -> (Fake, Session) {
    let (fake, descriptor) = try pair()
    async let session = Session.connect(reading: descriptor, writing: descriptor, answering: handlers)
    try await fake.greet()
    return (fake, try await session)
  }

  static func pair() throws -> (Fake, Int32) {
    var ends: [Int32] = [0, 0]
    #if os(Linux)
      let stream = Int32(SOCK_STREAM.rawValue)
    #else
      let stream = SOCK_STREAM
    #endif
    try #require(unsafe socketpair(AF_UNIX, stream, 0, &ends) == 0)
    return (Fake(Descriptor(rawValue: ends[0])), ends[1])
  }

  func greet(version: String = "1") async throws {
    try answer(
      try await next("initialize"), #"{"protocolVersion":"\#(version)","server":{"name":"fake"},"capabilities":{}}"#)
    if version == "1" { try answer(try await next("screens"), #"{"screens":\#(Fake.screens)}"#) }
  }

  /// Returns the client's next message, which must have this method.
  func next(_ method: String) async throws -> RawJSON {
    let message = try #require(try await last(), "the client has ended")
    try #require(message["method"]?.string == method, "\(message)")
    return message
  }

  /// Returns the client's next message; nil if the client has closed the connection.
  func last() async throws -> RawJSON? { try await bounded { [lines] in await lines.first { _ in true } } }

  func say(_ text: String) throws {
    // Makes one line, even if a test splits the message.
    let bytes = Array((text.replacing("\n", with: " ") + "\n").utf8)
    var count = 0
    while count < bytes.count, case .bytes(let written) = try descriptor.write(bytes.span.extracting(count...)) {
      count += written
    }
  }

  func tell(_ method: String, _ params: String, view: String = "v") throws {
    try say(#"{"jsonrpc":"2.0","method":"\#(method)","params":{"view":"\#(view)",\#(params)}}"#)
  }

  func ask(_ id: Int, _ method: String, _ params: String) throws {
    try say(#"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":\#(params)}"#)
  }

  func answer(_ message: RawJSON, _ result: String = "{}") throws {
    try say(#"{"jsonrpc":"2.0","id":\#(message["id"] ?? .null),"result":\#(result)}"#)
  }

  func refuse(_ message: RawJSON, _ error: String) throws {
    try say(#"{"jsonrpc":"2.0","id":\#(message["id"] ?? .null),"error":\#(error)}"#)
  }

  /// Makes the client open the view `v`.
  func open(
    _ session: Session, _ screen: String = "rows", items: String = "[]", revision: Int = 0
  ) async throws -> ListView<RawJSON> {
    async let view = session.open(screen, as: ListView<RawJSON>.self)
    let outputs =
      #"{"items":{"value":\#(items),"revision":\#(revision)},"loading":{"value":false},"error":{"value":null},"#
      + #""state":{"value":{"trigger":"appear","phase":"nothing","count":0}}}"#
    try answer(try await next("open"), #"{"view":"v","screen":"rows","viewModel":"list","outputs":\#(outputs)}"#)
    return try await view
  }

  /// Waits until the client has received all messages.
  func settle(_ session: Session) async throws {
    async let pinged: Void = session.ping()
    try answer(try await next("ping"))
    try await pinged
  }

  func end() {
    // Closing alone wouldn't wake the reading thread.
    shutdown(descriptor.rawValue, Int32(SHUT_RDWR))
  }
}
