internal import PageSources
internal import Screens
internal import Flow
internal import HTTPSettings
package import Nagare
internal import RPC
package import Reactor

/// Creates the sources of a configuration.
package struct SourceFactory {
  /// The service that uses the sources.
  let service: Service
  /// The event loop that watches the sources' programs.
  let loop: EventLoop
  /// The limits of a program's messages.
  var limits = Peer.Limits()
  /// Receives the programs' log; nil for no log.
  var log: ((String) -> Void)?
  /// The program for sources of the type `http`, in this program's folder.
  static let httpProgram = "nagare-http"
  /// The policy for loads, if it isn't that of the type of source.
  private var policy: RetryPolicy?
  /// The sources whose programs end with the service.
  private(set) var commands: [CommandSource] = []

  package init(for service: Service, on loop: EventLoop) {
    self.service = service
    self.loop = loop
  }

  /// Makes the sources try each load only once, with a time limit.
  mutating func triesOnce(within limit: Duration) {
    var policy = RetryPolicy()
    policy.tries = 1
    (policy.timeout, policy.total, policy.totalWithProgress) = (limit, limit, limit)
    self.policy = policy
  }

  /// Creates a source. Relative paths start at `folder`, which is empty or ends in a slash.
  mutating func source(_ name: String, _ source: SourceConfiguration, in folder: String) -> Source<RawJSON> {
    let clock = service.clock
    switch source {
    case .demo(let demo):
      var source =
        demo.live
        ? retrying(LiveDemoSource(on: clock).source, name) : DemoSource(demo.data, count: demo.rows, on: clock).source
      source.capabilities.items = demo.items
      return source
    case .file(let file):
      let path = file.path.resolved(in: folder)
      let watch = { [loop] handler in FileWatch(path, on: loop, handler) }
      var source = FileSource(
        path: path, id: file.id, keepsIndex: file.index, on: clock, watch: file.follow ? watch : nil
      ).source
      source.capabilities.items = file.items
      if file.writes != nil { source.capabilities.writes = [] }
      return retrying(source, name)
    case .client(let client):
      let source = ClientSource(name: name, id: client.id, peer: service.peer, client.capabilities, on: clock) {
        [unowned service] in service.client.sources.contains(WireText(name))
      }
      if client.capabilities.live { service.onSourceChange[WireText(name)] = source.receive }
      return retrying(source.source, name)
    case .command(let command):
      let source = CommandSource(
        command.command.words, in: folder, name: name, id: command.id, command.capabilities, limits: limits, log: log,
        on: clock, loop: loop)
      commands.append(source)
      return retrying(source.source, name)
    case .http(var http):
      if self.policy != nil { http.retries = 0 }
      let program = CurrentProcess.folder + SourceFactory.httpProgram
      let capabilities = SourceCapabilities(
        live: http.live != nil, positions: http.url.uses(.offset) && http.total != nil)
      let source = CommandSource(
        [program, http.json.text], name: name, id: http.id, capabilities,
        remedy: "nagare-http must be in the same folder as nagare", limits: limits, log: log, on: clock, loop: loop)
      commands.append(source)
      // `nagare-http` repeats requests itself, with the pauses that the web server requests. Only the end of that
      // program is handled here.
      var policy = RetryPolicy()
      policy.tries = 2
      return retrying(source.source, name, policy)
    }
  }

  private func retrying(
    _ source: Source<RawJSON>, _ name: String, _ policy: RetryPolicy = RetryPolicy()
  ) -> Source<RawJSON> {
    // On a virtual clock the random pauses between tries must be repeatable.
    let seed = service.hasVirtualClock ? 1 : UInt64.random(in: .min ... .max)
    return source.retrying(self.policy ?? policy, name: name, on: service.clock, seed: seed)
  }
}

extension String {
  /// The path of a file. A relative path starts at `folder`, which is empty or ends in a slash.
  func resolved(in folder: String) -> String { hasPrefix("/") ? self : folder + self }
}
