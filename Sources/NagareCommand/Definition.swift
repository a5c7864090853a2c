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
    let source: SourceConfiguration =
      if let path = arguments.file {
        .file(FileSourceConfiguration(type: "file", path: path, id: arguments.id ?? "id"))
      } else {
        .demo(DemoSourceConfiguration(type: "demo"))
      }
    configuration = Configuration(
      schemaPlace: nil,
      sources: Members([("items", source)]),
      screens: Members([
        ("items", .list(ListConfiguration(source: "items", detail: "detail"))),
        ("detail", .pager(PagerConfiguration(viewModel: "pager"))),
      ]))
  }

  /// Adds the screens to a service.
  func define(in service: Service) {
    var sources: [String: ListSource] = [:]
    for (name, source) in configuration.sources.values { sources[name] = self.source(name, source, service) }
    for (name, screen) in configuration.screens.values {
      switch screen {
      case .pager:
        let prototype = Pager(.never(), from: ItemID(0), loadMore: Trigger())
        service.add(Screen(name, viewModel: "pager", openedByOthersLike: prototype))
      case .list(let list):
        guard let source = sources[list.source.name] else { continue }
        service.add(
          Screen(name, viewModel: "list", example: ListParameters()) { parameters in
            var settings = settings(of: list, parameters)
            if case .text(let text) = list.query { settings.query = parameters.query ?? text }
            return List(settings, source)
          })
      case .search(let search):
        guard let source = sources[search.source.name] else { continue }
        service.add(
          Screen(name, viewModel: "search", example: SearchParameters()) { parameters in
            var settings = settings(of: search, parameters.list)
            settings.query = parameters.list.query ?? search.query
            return Search(settings, debounce: (parameters.debounce ?? search.debounce).duration, source)
          })
      }
    }
  }

  private func source(_ name: String, _ source: SourceConfiguration, _ service: Service) -> ListSource {
    let clock = service.clock
    // The chance in the pauses between tries is part of what a virtual clock makes repeatable.
    let seed = service.hasVirtualClock ? 1 : UInt64.random(in: .min ... .max)
    switch source {
    case .demo:
      return ListSource(DemoSource(on: clock))
    case .file(let file):
      let path = file.path.hasPrefix("/") ? file.path : folder + file.path
      let source = FileSource(path: path, id: file.id, on: clock)
      return ListSource(source.retrying(name: name, on: clock, seed: seed))
    case .client(let client):
      let source = ClientSource(name: name, id: client.id, peer: service.peer, writes: Set(client.writes)) {
        [unowned service] in service.client.sources.contains(name)
      }
      return ListSource(source.retrying(name: name, on: clock, seed: seed))
    }
  }

  private func settings(of list: some PagedListConfiguration, _ parameters: ListParameters) -> ListSettings {
    var settings = ListSettings()
    settings.id = configuration.sources[list.source.name]?.id ?? "id"
    settings.pageSize = (parameters.pageSize ?? list.pageSize).count
    settings.throttle = (parameters.throttle ?? list.throttle).duration
    settings.onRefresh = parameters.onRefresh ?? list.onRefresh
    settings.prefetch = (parameters.prefetch ?? list.prefetch).count
    settings.confirmRemoval = list.confirmRemoval
    settings.detail = list.detail?.name
    return settings
  }
}

extension ListSource {
  fileprivate init(_ source: some PageSource) { self.init(load: source.load, write: source.write) }
}
