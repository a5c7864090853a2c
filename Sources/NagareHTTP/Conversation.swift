internal import Paging
internal import Dispatch
internal import Foundation
internal import RPC
internal import WireJSON

/// The requests on standard input, and their answers on standard output.
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
  private let input = DispatchIO(type: .stream, fileDescriptor: 0, queue: .main) { _ in }
  /// The program ends when all that was said is written, which is when the channel is let go.
  private let output = DispatchIO(type: .stream, fileDescriptor: 1, queue: .main) { _ in exit(0) }

  init(with source: HTTPSource) { self.source = source }

  /// Reads until the input ends, and ends the program then.
  func begin() {
    // Each piece is handled as it comes.
    input.setLimit(lowWater: 1)
    // Holds this conversation as long as the program runs.
    input.read(offset: 0, length: .max, queue: .main) { isDone, data, error in
      if let data, !data.isEmpty { self.peer.receive(Array(data).span) }
      if isDone { self.peer.receiveEnd() }
      while self.peer.handleNext() {}
      if isDone { self.peer.cancelAll() }
      self.write()
      if isDone { self.end() }
    }
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
      return { live.end(params.request.criteria) }
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
        var data = DispatchData.empty
        // The bytes are copied within the call.
        unsafe bytes.withUnsafeBytes { unsafe data.append($0) }
        let count = bytes.count
        untaken += count
        output.write(offset: 0, data: data, queue: .main) { isDone, _, error in
          if error != 0 { exit(0) }
          if isDone { MainActor.assumeIsolated { self.untaken -= count } }
        }
        return count
      }
    }
  }

  private func end() {
    output.close()
    // Nobody may read any more.
    DispatchQueue.main.asyncAfter(deadline: .now() + 1) { exit(0) }
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
