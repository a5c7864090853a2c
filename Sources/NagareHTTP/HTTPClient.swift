internal import CCurl
internal import Flow
internal import Reactor

/// An HTTP client that runs libcurl on the event loop. It follows no redirects, and stores no cookies, passwords or
/// answers.
///
/// - Nothing blocks. libcurl looks up names in its own threads.
/// - While libcurl calls this class, no functions of libcurl are called. Such calls are delayed until libcurl has
///   returned.
/// - A client exists as long as the program.
/// - libcurl holds the addresses of this client and of requests. Requests keep themselves in memory while libcurl holds
///   theirs.
@safe
final class HTTPClient: Transport {
  private let loop: EventLoop
  private var client: OpaquePointer?
  private var watches: [Int32: EventLoop.Watch] = [:]
  private lazy var timer = loop.timer { [unowned self] in unsafe enter { unsafe curl_client_time_passed($0) } }
  /// Whether a function of libcurl is running, and may call this class.
  private var isInside = false
  private var putOff: [() -> Void] = []

  /// Creates a client. It loads libcurl when the first request is made.
  init(on loop: EventLoop) { self.loop = loop }

  func get(_ url: WebAddress, _ headers: [String: String], _ receiver: any AnswerReceiver) -> any Transfer {
    let request = CurlRequest(self, receiver)
    outside { [self] in
      if request.isDisposed { return }
      do throws(TransferFailure) {
        try begin(request, url, headers)
      } catch {
        request.failure = loop.schedule(after: .zero) { request.end(error) }
      }
    }
    return request
  }

  private func begin(_ request: CurlRequest, _ url: WebAddress, _ headers: [String: String]) throws(TransferFailure) {
    let client = try unsafe open()
    let lines = headers.sorted { $0.key < $1.key }.compactMap(headerLine)
    // libcurl copies the texts.
    let owner = unsafe Unmanaged.passUnretained(request).toOpaque()
    let handle = unsafe withPointers(to: lines[...]) { lines in
      unsafe curl_transfer_begin(client, url.text, lines, lines.count, owner)
    }
    guard let handle = unsafe handle else { throw .network("libcurl refuses the request", isTransient: false) }
    unsafe request.begin(handle)
  }

  /// Loads libcurl at the first request. If that fails, the next request tries again.
  private func open() throws(TransferFailure) -> OpaquePointer {
    if let client = unsafe client { return unsafe client }
    if let reason = unsafe curl_client_load() { throw .noClient(unsafe String(cString: reason)) }
    unsafe client = curl_client_make(Unmanaged.passUnretained(self).toOpaque(), HTTPClient.callbacks)
    guard let client = unsafe client else { throw .network("no memory is left", isTransient: true) }
    return unsafe client
  }

  /// Calls libcurl, and then ends the requests that have finished.
  private func enter(_ work: (OpaquePointer) -> Void) {
    guard let client = unsafe client else { return }
    isInside = true
    unsafe work(client)
    isInside = false
    while !putOff.isEmpty { putOff.removeFirst()() }
    var (owner, code, reason) = unsafe (UnsafeMutableRawPointer?.none, Int32(0), UnsafePointer<CChar>?.none)
    while unsafe curl_client_next_end(client, &owner, &code, &reason) {
      guard let owner = unsafe owner, let reason = unsafe reason else { return }
      let request = unsafe CurlRequest.at(owner)
      request.end(code == 0 ? nil : TransferFailure(code: code, reason: unsafe String(cString: reason)))
    }
  }

  /// Runs an action now, or after libcurl has returned.
  fileprivate func outside(_ action: @escaping () -> Void) {
    if isInside { putOff.append(action) } else { action() }
  }

  fileprivate func end(_ handle: OpaquePointer) {
    if let client = unsafe client { unsafe curl_transfer_end(client, handle) }
  }

  fileprivate func resume(_ handle: OpaquePointer) {
    unsafe enter { _ in unsafe curl_transfer_resume(handle) }
  }

  private func watch(_ socket: Int32, for interest: EventLoop.Readiness) {
    if interest.isEmpty {
      watches.removeValue(forKey: socket)?.cancel()
    } else if let watch = watches[socket] {
      watch.interest = interest
    } else {
      watches[socket] = loop.watch(Descriptor(rawValue: socket), for: interest) { [unowned self] ready in
        loop.step {
          unsafe enter {
            unsafe curl_client_socket_ready(
              $0, socket, ready.contains(.reading), ready.contains(.writing), ready.contains(.hangUp))
          }
        }
      }
    }
  }

  private func setTimer(_ milliseconds: Int) {
    if milliseconds < 0 { timer.disarm() } else { timer.arm(after: .milliseconds(milliseconds)) }
  }

  /// The functions that libcurl calls. The pointers are those that were given to libcurl, to objects that still exist.
  /// The bytes are only valid during the call.
  private static var callbacks: CurlCallbacks {
    unsafe CurlCallbacks(
      watch: { owner, socket, reading, writing in
        var interest = EventLoop.Readiness()
        if reading { interest.insert(.reading) }
        if writing { interest.insert(.writing) }
        unsafe HTTPClient.at(owner).watch(socket, for: interest)
      },
      set_timer: { owner, milliseconds in unsafe HTTPClient.at(owner).setTimer(milliseconds) },
      take_head: { owner, bytes, count in
        unsafe CurlRequest.at(owner).receiveHead(UnsafeBufferPointer(start: bytes, count: count).span)
      },
      take_body: { owner, bytes, count in
        unsafe CurlRequest.at(owner).receiveBody(UnsafeBufferPointer(start: bytes, count: count).span)
      })
  }

  private static func at(_ address: UnsafeMutableRawPointer) -> HTTPClient {
    unsafe Unmanaged<HTTPClient>.fromOpaque(address).takeUnretainedValue()
  }
}

/// A request that libcurl makes. It keeps itself in memory until it has ended.
@safe
private final class CurlRequest: Transfer {
  private let client: HTTPClient
  private var receiver: (any AnswerReceiver)?
  private var handle: OpaquePointer?
  private var itself: CurlRequest?
  private var head = HeadReader()
  /// Reports that the request can't be made.
  var failure: (any Disposable)?
  var isDisposed: Bool { receiver == nil }

  init(_ client: HTTPClient, _ receiver: any AnswerReceiver) { (self.client, self.receiver) = (client, receiver) }

  static func at(_ address: UnsafeMutableRawPointer) -> CurlRequest {
    unsafe Unmanaged<CurlRequest>.fromOpaque(address).takeUnretainedValue()
  }

  func begin(_ handle: OpaquePointer) {
    unsafe self.handle = handle
    itself = self
  }

  func receiveHead(_ line: Span<UInt8>) -> CurlVerdict {
    let answer = head.read(line)
    guard let receiver, !head.isTooLarge else { return .refused }
    return answer.map(receiver.receive) ?? true ? .taken : .refused
  }

  func receiveBody(_ bytes: Span<UInt8>) -> CurlVerdict {
    switch receiver?.receive(bytes) {
    case .taken: .taken
    case .paused: .paused
    case .refused, nil: .refused
    }
  }

  func end(_ failure: TransferFailure?) {
    let last = receiver
    dispose()
    if head.isTooLarge {
      last?.end(.network("the headers of the answer are too large", isTransient: true))
    } else if failure == nil, !head.isComplete {
      last?.end(.network("the answer ends within its headers", isTransient: true))
    } else {
      last?.end(failure)
    }
  }

  func dispose() {
    receiver = nil
    failure?.dispose()
    client.outside { [self] in
      guard let handle = unsafe handle else { return }
      unsafe self.handle = nil
      unsafe client.end(handle)
      itself = nil
    }
  }

  func resume() {
    client.outside { [self] in
      if let handle = unsafe handle { unsafe client.resume(handle) }
    }
  }
}

/// Returns a header as libcurl expects it: without a value, it ends in a semicolon. Nil if it would be more than one
/// line.
private func headerLine(_ name: String, _ value: String) -> String? {
  guard !value.utf8.contains(where: { [0, UInt8(ascii: "\r"), UInt8(ascii: "\n")].contains($0) }) else { return nil }
  return value.isEmpty ? "\(name);" : "\(name): \(value)"
}

/// Calls `body` with pointers to the texts as C strings.
private func withPointers<Result>(
  to texts: ArraySlice<String>, after pointers: [UnsafePointer<CChar>?] = unsafe [],
  _ body: ([UnsafePointer<CChar>?]) -> Result
) -> Result {
  guard let first = texts.first else { return unsafe body(pointers) }
  return unsafe first.withCString { first in
    unsafe withPointers(to: texts.dropFirst(), after: pointers + [first], body)
  }
}

extension TransferFailure {
  /// Describes a failure of libcurl, by its number (`CURLcode`) and its message.
  init(code: Int32, reason: String) {
    let isAboutTrust =
      switch code {
      // Problems with certificates and keys: the server's, the system's or this program's.
      case 53, 54, 58, 59, 60, 66, 77, 80, 82, 83, 90, 91: true
      // A failed handshake. The two sides have no common protocol, unless the connection broke.
      case 35: reason.contains("routines:") && !reason.contains("unexpected eof")
      default: false
      }
    // An address that libcurl can't parse (3) stays invalid.
    self = .network(reason, isTransient: !isAboutTrust && code != 3)
  }
}
