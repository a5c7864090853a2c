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
      sources: Members([("items", source)]),
      screens: Members([
        ("items", .list(ListConfiguration(source: "items", detail: "detail"))),
        ("detail", .pager(PagerConfiguration(viewModel: "pager"))),
      ]))
  }

  /// Adds the screens to a service.
  ///
  /// - Parameters:
  ///   - service: what is to serve them.
  ///   - sources: makes what gives their pages.
  /// - Throws: what is wrong with a screen.
  func define(in service: Service, _ sources: inout SourceMaker) throws(RPCError) {
    var loads: [String: (PageRequest) -> Observable<Page>] = [:]
    for (name, source) in configuration.sources.values { loads[name] = sources.load(name, source, in: folder) }
    for (name, screen) in configuration.screens.values {
      switch screen {
      case .pager:
        let prototype = Pager(.never(), from: ItemID(0), loadMore: Trigger())
        service.add(Screen(name, viewModel: "pager", openedByOthersLike: prototype))
      case .list(let list):
        guard let load = loads[list.source.name] else { continue }
        service.add(try self.list(name, list, load))
      }
    }
  }

  private func list(
    _ name: String, _ list: ListConfiguration, _ load: @escaping (PageRequest) -> Observable<Page>
  ) throws(RPCError) -> Screen {
    try Screen(name, viewModel: "list", parameters: ListParameters.self) { parameters in
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
