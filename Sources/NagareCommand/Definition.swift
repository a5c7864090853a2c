internal import Catalog
internal import Feeds
internal import Flow
internal import Nagare
internal import RPC

/// What is served: the configuration that was named, or one made of the command line.
struct Definition {
  let configuration: Configuration
  /// Where the configuration's paths start from.
  let folder: String

  init(_ arguments: Arguments) throws(ConfigurationFault) {
    if let path = arguments.configuration {
      let file = try ConfigurationFile(path: path)
      (configuration, folder) = (file.configuration, file.folder)
      return
    }
    folder = ""
    configuration =
      arguments.file.map { Configuration(file: $0, id: arguments.id ?? "id") } ?? .demo
  }

  /// Adds the screens to a service.
  func define(in service: Service) throws(RPCError) {
    var loads: [String: (PageRequest) -> Observable<Page>] = [:]
    for (name, source) in configuration.sources.values { loads[name] = load(name, source, service) }
    _ = ConfiguredStores(configuration, on: service.dispatcher)
    for (name, screen) in configuration.screens.values {
      switch screen {
      case .choice(let choice): service.add(choice.screen(name, on: service.dispatcher))
      case .task(let tasks): service.add(tasks.screen(name))
      case .feed(let feed):
        guard let load = loads[feed.source.name] else { continue }
        service.add(feed.screen(name, load))
      case .pager:
        let prototype = Pager(.never(), from: ItemID(0), loadMore: Trigger())
        service.add(Screen(name, viewModel: "pager", openedByOthersLike: prototype))
      case .list(let list):
        guard let load = loads[list.source.name] else { continue }
        service.add(try self.list(name, list, load))
      }
    }
  }

  private func load(
    _ name: String, _ source: SourceConfiguration, _ service: Service
  ) -> (PageRequest) -> Observable<Page> {
    let clock = service.clock
    // The chance in the pauses between tries is part of what a virtual clock makes repeatable.
    let seed = service.hasVirtualClock ? 1 : UInt64.random(in: .min ... .max)
    switch source {
    case .demo(let demo):
      return DemoSource(demo.data, on: clock).load
    case .file(let file):
      let path = file.path.hasPrefix("/") ? file.path : folder + file.path
      let source = FileSource(path: path, id: file.id, on: clock)
      return source.retrying(name: name, on: clock, seed: seed).load
    case .client(let client):
      let source = ClientSource(name: name, id: client.id, peer: service.peer) { [unowned service] in
        service.client.sources.contains(name)
      }
      return source.retrying(name: name, on: clock, seed: seed).load
    }
  }

  private func list(
    _ name: String, _ list: ListConfiguration, _ load: @escaping (PageRequest) -> Observable<Page>
  ) throws(RPCError) -> Screen {
    let example = ListParameters(pageSize: nil, throttle: nil, onRefresh: nil)
    return Screen(name, viewModel: "list", example: example) { parameters in
      var settings = ListSettings()
      settings.id = configuration.sources[list.source.name]?.id ?? "id"
      settings.pageSize = (parameters.pageSize ?? list.pageSize).count
      settings.throttle = (parameters.throttle ?? list.throttle).duration
      settings.onRefresh = parameters.onRefresh ?? list.onRefresh
      settings.detail = list.detail?.name
      return List(settings, load: load)
    }
  }
}

/// What a client may have its own way when it opens a list.
private struct ListParameters: Record {
  let pageSize: PageSize?
  let throttle: Milliseconds?
  let onRefresh: ListState.OnRefresh?

  static let fields = Fields(
    ListParameters.init,
    Field("pageSize", \.pageSize, "How many items a page has."),
    Field("throttle", \.throttle, "Milliseconds in which a second reachBottom is dropped."),
    Field("onRefresh", \.onRefresh, "Whether a refresh empties the list at once."))
}
