internal import Foundation
public import Nagare
public import Testing

/// Records the dialogue of a client with a service as a conformance transcript.
///
/// The text has the format of `protocol/conformance`: `-->` lines are sent to the service, `<--` lines are its
/// messages, and `advance` moves the clock. A file with this text fixes what screens send on the wire. A test compares
/// the dialogue with the file, and `protocol/conformance/run.py` replays the file against a program with the same
/// screens, or against any other server.
///
/// ```swift
/// let service = Service(clock: VirtualScheduler())
/// service.add(Screen { Counter() })
/// let transcript = Transcript("The counter counts up.", of: service)
/// transcript.call("open", ["screen": "counter"])
/// transcript.call("increment")
/// transcript.expect(file: "Transcripts/counter.txt")
/// ```
/// - The clock of the service is virtual. Only ``advance(by:)`` moves it, because the transcript doesn't record
///   movements by other code.
/// - Placeholders replace values that depend on the server or on how the transcript is played: the `revision` and the
///   `base` of a list in a notification, the `server` and the `limits` in the response to `initialize`, and the number
///   of a message that the service couldn't read.
public final class Transcript {
  /// Whether ``expect(file:rewriting:relativeTo:sourceLocation:)`` writes files: the environment variable `NAGARE_RECORD` is
  /// set and not empty.
  public static var isRewriting: Bool { ProcessInfo.processInfo.environment["NAGARE_RECORD"]?.isEmpty == false }

  private let service: Service
  private var lines: [String]
  private var lastID = 0
  private var advances = 0

  /// Begins a transcript.
  ///
  /// - Parameters:
  ///   - summary: the purpose of the transcript. It becomes the comment at the start, which every transcript has.
  ///   - service: a service with the screens, on a `VirtualScheduler`. A service on another clock ends the program.
  public init(_ summary: String, of service: Service) {
    precondition(service.hasVirtualClock, "a transcript needs a service on a VirtualScheduler")
    self.service = service
    lines = Transcript.comment(summary)
  }

  /// The transcript so far, as in its file.
  public var text: String { lines.joined(separator: "\n") + "\n" }

  /// Adds a comment to the transcript.
  ///
  /// - Parameter text: the comment. Each of its lines becomes a comment line.
  public func comment(_ text: String) { lines += Transcript.comment(text) }

  /// Sends a request, with the next number as its id.
  ///
  /// - Parameters:
  ///   - method: an input, or a method of the session such as `open`.
  ///   - params: the parameters in their order, such as `["screen": "counter", "view": "v"]`. Without any, the request
  ///     has no `params`.
  /// - Returns: the messages of the service. The response is the last one, unless the service responds later.
  @discardableResult
  public func call(_ method: String, _ params: KeyValuePairs<String, any JSONEncodable> = [:]) -> [RawJSON] {
    lastID += 1
    return send(Transcript.message(id: lastID, method, params))
  }

  /// Sends a notification, which has no response.
  ///
  /// - Parameters:
  ///   - method: an input.
  ///   - params: the parameters in their order. Without any, the notification has no `params`.
  /// - Returns: the messages of the service.
  @discardableResult
  public func notify(_ method: String, _ params: KeyValuePairs<String, any JSONEncodable> = [:]) -> [RawJSON] {
    send(Transcript.message(id: nil, method, params))
  }

  /// Sends any text as a message, such as the response to a request of the service, a batch, or an invalid message.
  ///
  /// - Parameter message: one line of text. A text of several lines ends the program.
  /// - Returns: the messages of the service.
  @discardableResult
  public func send(_ message: String) -> [RawJSON] {
    lines.append("--> \(message)")
    return add(exchange(message))
  }

  /// Moves the clock.
  ///
  /// - Parameter time: whole milliseconds, at least 0. Anything else ends the program.
  /// - Returns: the messages that the service sent during this time.
  @discardableResult
  public func advance(by time: Duration) -> [RawJSON] {
    let milliseconds = Int(time / .milliseconds(1))
    precondition(time >= .zero && time == .milliseconds(milliseconds), "\(time) is not a whole number of milliseconds")
    advances += 1
    lines.append("advance \(milliseconds)")
    let params: KeyValuePairs<String, any JSONEncodable> = ["milliseconds": milliseconds]
    // The response isn't recorded, because the runner checks it without a line.
    return add(exchange(Transcript.message(id: "advance \(advances)", "clock/advance", params)).dropLast())
  }

  private func exchange(_ message: String) -> [RawJSON] {
    // Other line separators, such as U+2028, may be in the strings of a message.
    precondition(!message.utf8.contains { $0 == 0x0A || $0 == 0x0D }, "a message of a transcript is one line")
    return service.receive(Array("\(message)\n".utf8)).split(separator: UInt8(ascii: "\n")).map {
      RawJSON(trusting: Array($0))
    }
  }

  private func add(_ messages: some Sequence<RawJSON>) -> [RawJSON] {
    let messages = Array(messages)
    lines += messages.map { "<-- \($0.withPlaceholders.text)" }
    return messages
  }

  private static func comment(_ text: String) -> [String] {
    text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map { "# \($0)" }
  }

  private static func message(
    id: (any JSONEncodable)?, _ method: String, _ params: KeyValuePairs<String, any JSONEncodable>
  ) -> String {
    var members: [(String, RawJSON)] = [("jsonrpc", "2.0".json)]
    if let id { members.append(("id", id.json)) }
    members.append(("method", method.json))
    if !params.isEmpty { members.append(("params", RawJSON(members: params.map { ($0.key, $0.value.json) }))) }
    return RawJSON(members: members).text
  }
}

// MARK: - Files

extension Transcript {
  /// Compares the transcript with a file, or writes the file.
  ///
  /// If the file differs, the test has an issue that shows the lines that differ. To accept what the screens send now,
  /// run the test with `NAGARE_RECORD=1` and look at the change of the file:
  ///
  /// ```
  /// NAGARE_RECORD=1 swift test --filter CounterTests
  /// ```
  /// The comparison is exact. A file with placeholders that you added by hand, such as `"<string>"`, is for `run.py`
  /// only.
  ///
  /// - Parameters:
  ///   - file: the path of the file, relative to the folder of the test's source file, or absolute.
  ///   - rewriting: whether to write the file, and missing folders, instead of comparing.
  ///   - source: the test's source file.
  ///   - sourceLocation: the location of the issue, also if the file can't be read or written.
  public func expect(
    file: String, rewriting: Bool = Transcript.isRewriting, relativeTo source: String = #filePath,
    sourceLocation: Testing.SourceLocation = #_sourceLocation
  ) {
    let place = URL(filePath: file, relativeTo: URL(filePath: source).deletingLastPathComponent()).absoluteURL
    do {
      if rewriting {
        try FileManager.default.createDirectory(
          at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: place)
        return
      }
      let expected = String(decoding: try Data(contentsOf: place), as: UTF8.self)
      guard expected != text else { return }
      let difference = TextDifference(from: expected, to: text)
      Issue.record(
        """
        the service sent something else than \(file) has:
        \(difference.text)
        If this is right, run the test with NAGARE_RECORD=1 to write the file again.
        """, sourceLocation: sourceLocation)
    } catch CocoaError.fileReadNoSuchFile {
      let text = "there is no transcript \(file); run the test with NAGARE_RECORD=1 to write it"
      Issue.record("\(text)", sourceLocation: sourceLocation)
    } catch {
      let action = rewriting ? "written" : "read"
      Issue.record("the transcript \(file) can't be \(action): \(error)", sourceLocation: sourceLocation)
    }
  }
}

extension RawJSON {
  /// A message of a server, with placeholders for values that may differ between two correct servers.
  fileprivate var withPlaceholders: RawJSON {
    if member("method") != nil, member("id") == nil, let params = member("params"), params.member("revision") != nil {
      return replacing(["params": params.replacing(["revision": "<revision>".json, "base": "<base>".json])])
    }
    if let result = member("result"), result.member("protocolVersion") != nil {
      return replacing(["result": result.replacing(["server": "<object>".json, "limits": "<object>".json])])
    }
    if let error = member("error"), let data = error.member("data"), member("id")?.isNull == true {
      return replacing(["error": error.replacing(["data": data.replacing(["message": "<message>".json])])])
    }
    return self
  }

  /// Returns an object in which the named fields, as far as they exist, have new values.
  private func replacing(_ values: [String: RawJSON]) -> RawJSON {
    RawJSON(members: members.map { ($0.key.string, values[$0.key.string] ?? $0.value) })
  }
}
