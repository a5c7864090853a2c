internal import Reactor
internal import Nagare

/// The connection to a server. It is used on the loop's thread.
protocol Link: AnyObject {
  var onOutput: (Span<UInt8>) -> Void { get set }
  /// Called when more can be written, after `write` didn't write everything.
  var onWritable: () -> Void { get set }
  /// Called when the server has closed its input or its output. It may still be working before it ends.
  var onHangUp: () -> Void { get set }
  /// Called once, when the server has ended.
  var onEnd: (ServerDied) -> Void { get set }
  var hasEnded: Bool { get }
  /// How the server ended, if that is known.
  var end: ServerEnd? { get }
  /// Writes as many bytes as possible without waiting. Returns their number.
  func write(_ bytes: Span<UInt8>) -> Int
  /// Ends the server's input.
  func finishWriting()
  /// Asks the server to end, by SIGTERM.
  func terminate()
  /// Ends the server by force, by SIGKILL.
  func kill()
}

/// A server that this client started. It ends with the session.
final class ChildLink: Link {
  /// The number of bytes at the end of standard error that ``ServerDied`` contains.
  private static let tail = 4096

  var onOutput: (Span<UInt8>) -> Void = { _ in }
  var onWritable: () -> Void = {}
  var onHangUp: () -> Void = {}
  var onEnd: (ServerDied) -> Void = { _ in }
  let child: ChildProcess
  private var lastWords: [UInt8] = []
  /// The line with the reason for a crash. A backtrace longer than `tail` may follow it.
  private var crash = ""

  init(_ command: [String], in folder: String, log: (@Sendable (String) -> Void)?, on loop: EventLoop) throws {
    do throws(SystemError) {
      child = try ChildProcess(command, in: folder, with: .session, on: loop)
    } catch {
      guard error.isMissing, let program = command.first, !program.contains("/") else { throw error }
      throw SystemError("\(error.operation) (is it in PATH?)", code: error.code)
    }
    child.onOutput = { [unowned self] in onOutput($0) }
    child.onWritable = { [unowned self] in onWritable() }
    child.onHangUp = { [unowned self] in onHangUp() }
    child.onErrorOutput = { [unowned self] bytes in
      let text = (0..<bytes.count).map { bytes[$0] }
      lastWords += text
      for line in lastWords.split(separator: UInt8(ascii: "\n")).map({ String(decoding: $0, as: UTF8.self) })
      where CrashLine.matches(line) {
        crash = line
      }
      lastWords = Array(lastWords.suffix(ChildLink.tail))
      log?(String(decoding: text, as: UTF8.self))
    }
    child.onEnd = { [unowned self] end in
      var words = String(String(decoding: lastWords, as: UTF8.self).trimming(while: \.isWhitespace))
      if !crash.isEmpty, !words.contains(crash) { words = "\(crash)\n…\n\(words)" }
      onEnd(ServerDied(command: command, end: ServerEnd(end), standardError: words))
    }
  }

  var hasEnded: Bool { child.end != nil }
  var end: ServerEnd? { child.end.map(ServerEnd.init) }
  func write(_ bytes: Span<UInt8>) -> Int { child.write(bytes) }
  func finishWriting() { child.endInput() }
  func terminate() { child.signalEnd() }
  func kill() { child.kill() }
}

/// A connection that the caller opened: two descriptors, or one socket for both directions.
final class DescriptorLink: Link {
  var onOutput: (Span<UInt8>) -> Void = { _ in }
  var onWritable: () -> Void = {}
  var onHangUp: () -> Void = {}
  var onEnd: (ServerDied) -> Void = { _ in }
  private(set) var hasEnded = false
  let end: ServerEnd? = nil
  private let input: Descriptor
  private let output: Descriptor
  private var reading: EventLoop.Watch?
  private var writing: EventLoop.Watch?
  private var buffer = [UInt8](repeating: 0, count: 64 * 1024)

  init(reading input: Descriptor, writing output: Descriptor, on loop: EventLoop) {
    (self.input, self.output) = (input, output)
    Signals.ignoreFailedWrites()
    for descriptor in [input, output] { descriptor.setNonBlocking(true) }
    reading = loop.watch(input, for: .reading) { [unowned self] _ in read() }
    writing = loop.watch(output, for: []) { [unowned self] readiness in
      writing?.interest = []
      if readiness.contains(.hangUp) { kill() } else { onWritable() }
    }
  }

  deinit { close() }

  private func read() {
    guard let transfer = try? input.read(into: &buffer) else { return kill() }
    guard case .bytes(let count) = transfer else { return }
    guard count > 0 else { return kill() }
    let bytes = buffer
    onOutput(bytes.span.extracting(..<count))
  }

  func write(_ bytes: Span<UInt8>) -> Int {
    guard !hasEnded, let transfer = try? output.write(bytes) else { return 0 }
    let count = if case .bytes(let count) = transfer { count } else { 0 }
    writing?.interest = count < bytes.count ? .writing : []
    return count
  }

  func finishWriting() { kill() }
  func terminate() { kill() }

  func kill() {
    guard !hasEnded else { return }
    hasEnded = true
    close()
    onEnd(ServerDied(command: [], end: nil, standardError: ""))
  }

  private func close() {
    guard let reading, let writing else { return }
    (self.reading, self.writing) = (nil, nil)
    for watch in [reading, writing] { watch.cancel() }
    output.close()
    if input.rawValue != output.rawValue { input.close() }
  }
}

extension String {
  func trimming(while isTrimmed: (Character) -> Bool) -> Substring {
    let start = drop(while: isTrimmed)
    return start.lastIndex { !isTrimmed($0) }.map { start[...$0] } ?? ""
  }
}
