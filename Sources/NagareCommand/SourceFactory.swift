internal import PageSources
internal import Screens
internal import Flow
internal import HTTPSettings
package import Nagare
internal import RPC
package import Reactor

/// Makes the sources of a configuration.
package struct SourceFactory {
  /// The service that the sources are for.
  let service: Service
  /// The loop that the sources' programs run on.
  let loop: EventLoop
  /// The limits of a program's messages.
  var limits = Peer.Limits()
  /// Receives the programs' log; nil if nobody reads it.
  var log: ((String) -> Void)?
  /// The sources whose programs end with the service.
  private(set) var commands: [CommandSource] = []

  package init(for service: Service, on loop: EventLoop) {
    self.service = service
    self.loop = loop
  }

  /// Makes a source. Relative paths start at a folder: empty, or with a slash at its end.
  mutating func source(_ name: String, _ source: SourceConfiguration, in folder: String) -> ListSource {
    let clock = service.clock
    switch source {
    case .demo(let demo) where demo.live:
      return retrying(
        LiveDemoSource(on: clock), name, writes: [.insert, .change, .remove, .marked], items: demo.items,
        LiveConfiguration(live: true, order: []))
    case .demo(let demo):
      let source = DemoSource(demo.data, count: demo.rows, on: clock)
      var made = ListSource(load: source.load(_:report:), writes: []) { _ in .never() }
      (made.hasPositions, made.findsItems) = (true, true)
      if demo.items { made.item = { source.item($0) ?? .never() } }
      return made
    case .file(let file):
      let path = file.path.hasPrefix("/") ? file.path : folder + file.path
      let watch = { [loop] handler in FileWatch(path, on: loop, handler) }
      let source = FileSource(
        path: path, id: file.id, keepsIndex: file.index, on: clock, watch: file.follow ? watch : nil)
      return retrying(
        source, name, items: file.items,
        LiveConfiguration(live: file.follow, order: [], positions: true, around: true))
    case .client(let client):
      let source = ClientSource(name: name, id: client.id, peer: service.peer, writes: Set(client.writes), on: clock) {
        [unowned service] in service.client.sources.contains(WireText(name))
      }
      if client.live.live { service.onSourceChange[WireText(name)] = source.receive }
      return retrying(source, name, writes: client.writes, items: client.items, client.live)
    case .command(let command):
      let source = CommandSource(
        command.command.words, in: folder, name: name, id: command.id, writes: Set(command.writes), limits: limits,
        log: log, on: clock, loop: loop)
      commands.append(source)
      return retrying(source, name, writes: command.writes, items: command.items, command.live)
    case .http(let http):
      let program = CurrentProcess.folder + "nagare-http"
      let source = CommandSource(
        [program, http.json.text], name: name, id: http.id, remedy: "nagare-http has to stand beside nagare",
        limits: limits, log: log, on: clock, loop: loop)
      commands.append(source)
      // It tries again by itself, as the server asks it to; only its own death is left to be mended from here.
      var policy = RetryPolicy()
      policy.tries = 2
      return retrying(
        source, name, policy,
        LiveConfiguration(live: http.live != nil, order: [], positions: http.url.uses(.offset) && http.total != nil))
    }
  }

  private func retrying(
    _ source: some PageSource, _ name: String, _ policy: RetryPolicy = RetryPolicy(), writes: [SourceEdit.Kind] = [],
    items: Bool = false, _ live: LiveConfiguration? = nil
  ) -> ListSource {
    // The chance in the pauses between tries is part of what a virtual clock makes repeatable.
    let seed = service.hasVirtualClock ? 1 : UInt64.random(in: .min ... .max)
    let retrying = source.retrying(policy, name: name, on: service.clock, seed: seed)
    var made = ListSource(load: retrying.load(_:report:), writes: Set(writes)) { edit in
      retrying.write(edit).map { $0.map { _ in } } ?? .never()
    }
    if items { made.item = { retrying.item($0) ?? .never() } }
    (made.hasPositions, made.findsItems) = (live?.positions ?? false, live?.around ?? false)
    guard let live, live.live else { return made }
    made.order = live.order
    made.changes = { retrying.changes($0) ?? .never() }
    return made
  }
}
