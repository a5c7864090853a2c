internal import NagareClient

/// A minimal client: it writes a line, and reads lines until the response.
final class RawClient {
  private let loop: EventLoop
  private let child: ChildProcess
  private var id = 0
  private var line: [UInt8] = []

  init(_ command: [String]) throws {
    loop = try EventLoop()
    child = try ChildProcess(command, on: loop)
    child.onOutput = { [unowned self] in read($0) }
  }

  func measured() async throws -> Figures {
    call("initialize", ["protocolVersion": "1".json, "capabilities": ["deltas": true].json])
    let pings = await Main.timed(Main.pings) { call("ping") }
    call("open", ["screen": "items".json, "view": "v".json])
    call("viewWillAppear")
    _ = await Main.timed(Main.pages) { call("loadMore") }
    let items = await Main.timed(Main.pages) { call("loadMore") }
    ChildProcess.endAll([child])
    return Figures(pings: pings, items: items * 1000)
  }

  private func call(_ method: String, _ params: [String: RawJSON] = [:]) {
    id += 1
    let request = ["jsonrpc": "2.0".json, "id": id.json, "method": method.json, "params": params.json].json
    let bytes = Array(request.bytes) + [UInt8(ascii: "\n")]
    _ = child.write(bytes.span)
    loop.run()
  }

  private func read(_ bytes: Span<UInt8>) {
    // The pointer belongs to the span and is used only within the call.
    unsafe bytes.withUnsafeBufferPointer { bytes in
      var rest = unsafe bytes[...]
      while let end = unsafe rest.firstIndex(of: UInt8(ascii: "\n")) {
        unsafe line.append(contentsOf: rest[..<end])
        unsafe rest = rest[(end + 1)...]
        if (try? RawJSON(validating: line))?.member("id")?.int == id { loop.stop() }
        line.removeAll(keepingCapacity: true)
      }
      unsafe line.append(contentsOf: rest)
    }
  }
}
