import Flow
import Nagare

/// A client in memory that talks to a service line by line.
final class Client {
  let service: Service
  let clock = VirtualScheduler()
  /// Whether the client has stopped reading.
  var isBusy = false
  private var received: [UInt8] = []
  private var lastID = 0

  init(_ screens: Screen..., limits: Service.Limits = Service.Limits()) {
    service = Service(clock: clock, limits: limits)
    for screen in screens { service.add(screen) }
  }

  /// Sends a request, and reads all output so far.
  @discardableResult
  func call(_ method: String, _ params: String = "{}") -> [String] {
    lastID += 1
    return send(#"{"jsonrpc":"2.0","id":\#(lastID),"method":"\#(method)","params":\#(params)}"#)
  }

  /// Sends a notification, and reads all output so far.
  @discardableResult
  func notify(_ method: String, _ params: String = "{}") -> [String] {
    send(#"{"jsonrpc":"2.0","method":"\#(method)","params":\#(params)}"#)
  }

  /// Sends a line, and reads all output so far.
  @discardableResult
  func send(_ line: String) -> [String] {
    service.peer.receive(Array("\(line)\n".utf8).span)
    while service.peer.handleNext() {}
    return read()
  }

  /// Ends a step that no message began, and reads its output.
  @discardableResult
  func step() -> [String] {
    service.endStep()
    return read()
  }

  /// Reads the complete lines, each without its `"jsonrpc":"2.0"`.
  ///
  /// - Parameter most: the maximum number of bytes to read.
  /// - Returns: the lines.
  func read(_ most: Int = .max) -> [String] {
    var left = isBusy ? 0 : most
    while left > 0, service.peer.backlog.readyBytes > 0 {
      service.peer.write { bytes in
        let count = min(bytes.count, left)
        for index in 0..<count { received.append(bytes[index]) }
        left -= count
        return count
      }
    }
    guard let end = received.lastIndex(of: 0x0A) else { return [] }
    let lines = received[..<end].split(separator: 0x0A).map { line in
      String(decoding: line, as: UTF8.self).replacing(#""jsonrpc":"2.0","#, with: "", maxReplacements: 1)
    }
    received.removeFirst(end + 1)
    return lines
  }
}

extension String {
  /// Returns the text with the first occurrence of a part replaced.
  func replacing(_ part: String, with other: String, maxReplacements: Int) -> String {
    guard maxReplacements > 0, let range = firstRange(of: part) else { return self }
    return self[..<range.lowerBound] + other + self[range.upperBound...]
  }

  /// The text as JSON.
  var raw: RawJSON? { try? RawJSON(self) }
}
