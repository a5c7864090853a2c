internal import Paging
internal import Dispatch
internal import Foundation
internal import RPC
internal import Reactor
internal import WireJSON

/// The requests on standard input, and their answers on standard output.
///
/// Both are read and written by threads that wait: Linux's `DispatchIO` crashes now and then where its pipe ends.
@MainActor
final class Conversation {
  /// How many bytes may wait to be taken before nothing more is said of changes.
  private static let mostUntaken = 1 << 20

  private let source: HTTPSource
  private lazy var live = source.live.map { settings in
    LiveSource(source, settings) { [unowned self] params in await say(params) }
  }
  private var untaken = 0
  private lazy var peer = Peer { [unowned self] call throws(RPCError) in try answer(call) }
  private let output = DispatchQueue(label: "output")

  init(with source: HTTPSource) { self.source = source }

  /// Reads until the input ends, and ends the program then.
  func begin() {
    // Holds this conversation as long as the program runs.
    Thread.detachNewThread {
      var buffer = [UInt8](repeating: 0, count: 64 << 10)
      while let count = Descriptor.standardInput.waiting({ try $0.read(into: &buffer) }) {
        let bytes = buffer[..<count]
        DispatchQueue.main.sync { MainActor.assumeIsolated { self.receive(bytes) } }
      }
      DispatchQueue.main.async { MainActor.assumeIsolated { self.end() } }
    }
  }

  private func receive(_ bytes: ArraySlice<UInt8>) {
    peer.receive(bytes.span)
    while peer.handleNext() {}
    write()
  }

  private func answer(_ call: Call) throws(RPCError) -> Answer {
    if let live, call.method == "source/watch" || call.method == "source/unwatch" { return try watch(call, live) }
    guard call.method == "source/page" else {
      throw RPCError(.methodNotFound, "no method \"\(call.method)\"; there is source/page")
    }
    let request = try PageRequest(call.params ?? .emptyObject)
    return .later { reply in
      let work = Task {
        do throws(RPCError) {
          await self.live?.prepare(request)
          let page = try await self.source.page(request)
          self.live?.note(page, of: request)
          reply.succeed(page.write)
        } catch {
          reply.fail(error)
        }
        self.write()
      }
      return work.cancel
    }
  }

  private func watch(_ call: Call, _ live: LiveSource) throws(RPCError) -> Answer {
    let params: SourceWatchParams
    do throws(DecodingFailure) {
      params = try SourceWatchParams(json: RawJSON(copying: call.params ?? .emptyObject))
    } catch {
      throw .wrongParameter(error.parameter, error.expected)
    }
    guard call.method == "source/watch" else {
      live.end(params.request.criteria)
      return .empty
    }
    return .later { reply in
      live.watch(params) { error in
        if let error { reply.fail(error) } else { reply.succeed { $0.state(params.request.state) } }
        self.write()
      }
    }
  }

  /// Tells of changes, once what was said before has been taken.
  private func say(_ params: (inout JSONWriter) -> Void) async {
    while untaken > Conversation.mostUntaken {
      do { try await Task.sleep(for: .milliseconds(10)) } catch { return }
    }
    peer.notify("source/changed", params)
    write()
  }

  private func write() {
    var backlog = peer.backlog
    while backlog.readyBytes > 0 {
      backlog = peer.write { bytes in
        let data = Array(copying: bytes)
        untaken += data.count
        output.async {
          var taken = 0
          while taken < data.count {
            let count = Descriptor.standardOutput.waiting { try $0.write(data.span.extracting(taken...)) }
            guard let count else { Conversation.exit() }
            taken += count
          }
          DispatchQueue.main.async { MainActor.assumeIsolated { self.untaken -= data.count } }
        }
        return data.count
      }
    }
  }

  /// Nothing more comes: ends the program when all that was said is written.
  private func end() {
    peer.receiveEnd()
    while peer.handleNext() {}
    peer.cancelAll()
    write()
    output.async { Conversation.exit() }
    // Nobody may read any more.
    DispatchQueue.main.asyncAfter(deadline: .now() + 1) { Conversation.exit() }
  }

  /// Ends the program as it is: threads run that would stumble over what is cleaned up.
  private nonisolated static func exit() -> Never { _exit(0) }
}

extension Descriptor {
  /// Moves bytes, and waits until that can be done, even if another process that shares the stream has made it non-blocking.
  /// Gives how many; nil at the end, or when the other side has gone.
  fileprivate func waiting(_ move: (Descriptor) throws -> Transfer) -> Int? {
    while let transfer = try? move(self) {
      if case .bytes(let count) = transfer { return count > 0 ? count : nil }
      setNonBlocking(false)
    }
    return nil
  }
}

extension JSONWriter {
  /// Writes the result of `source/watch`.
  fileprivate mutating func state(_ state: String?) {
    beginObject()
    if let state { member("state", state) }
    endObject()
  }
}

extension PageRequest {
  /// Reads the parameters of `source/page`.
  init(_ params: RawJSON) throws(RPCError) {
    do throws(DecodingFailure) {
      self = try SourcePageParams(json: params).request
    } catch {
      throw .wrongParameter(error.parameter, error.expected)
    }
    if position.map({ (0...PageAddress.mostItems).contains($0) }) == false {
      throw .wrongParameter("at", "a whole number from 0")
    }
    guard (1...1_000_000).contains(size) else { throw .wrongParameter("size", "a number of items, 1 to 1000000") }
  }
}

extension RPCError {
  /// A parameter of `source/page` is wrong.
  static func wrongParameter(_ name: String, _ expected: String) -> RPCError {
    RPCError(
      .invalidParams, "'\(name)' must be \(expected)", data: ParameterErrorData(param: name, expected: expected))
  }
}
