internal import PageSources
internal import Screens
internal import Flow
package import Nagare
internal import RPC
internal import WireJSON

/// What is served: the configuration that was named, or one made of the command line.
package struct Definition {
  let configuration: Configuration
  /// Where the configuration's paths start from.
  let folder: String

  /// What the command line asks for.
  init(_ arguments: Arguments) throws(ConfigurationError) {
    if let path = arguments.configuration {
      let file = try ConfigurationFile(path: path)
      self.init(file.configuration, in: file.folder)
    } else {
      self.init(arguments.file.map { Configuration(file: $0, id: arguments.id ?? "id") } ?? .demo)
    }
  }

  /// What a configuration says.
  ///
  /// - Parameters:
  ///   - configuration: the sources and screens.
  ///   - folder: where its paths start from; empty or with a slash at its end.
  package init(_ configuration: Configuration, in folder: String = "") {
    (self.configuration, self.folder) = (configuration, folder)
  }

  /// Adds the screens to a service.
  ///
  /// - Parameters:
  ///   - service: what is to serve them.
  ///   - maker: makes what gives their pages.
  package func define(in service: Service, _ maker: inout SourceMaker) {
    func add(_ screen: Screen) { service.add(screen, validated: true) }
    var sources: [WireText: ListSource] = [:]
    for (name, source) in configuration.sources.values {
      sources[WireText(name)] = maker.source(name, source, in: folder)
    }
    let stores = ConfiguredStores(configuration, on: service.dispatcher)
    for (name, screen) in configuration.screens.values {
      switch screen {
      case .choice(let choice): add(choice.screen(name, on: service.dispatcher))
      case .task(let tasks): add(tasks.screen(name))
      case .feed(let feed):
        guard let source = sources[WireText(feed.source.name)] else { continue }
        add(feed.screen(name) { source.load($0) {} })
      case .pager:
        add(Screen(name, viewModel: "pager", openedByOthersLike: Pager.example))
      case .list(let list):
        guard let source = sources[WireText(list.source.name)] else { continue }
        add(
          Screen(name, viewModel: "list", example: ListParameters()) { parameters in
            var settings = settings(list.paging, of: list.source, parameters.paging)
            switch (parameters.query, list.query) {
            case (let query?, _), (nil, .text(let query)): settings.query = query.text
            case (nil, .following(let key)): settings.queries = stores.texts(of: key.store.name)
            }
            return List(settings, source)
          })
      case .search(let search):
        guard let source = sources[WireText(search.source.name)] else { continue }
        add(
          Screen(name, viewModel: "search", example: SearchParameters()) { parameters in
            var settings = settings(search.paging, of: search.source, parameters.paging)
            settings.query = (parameters.query ?? search.query).text
            return Search(settings, debounce: (parameters.debounce ?? search.debounce).duration, source)
          })
      }
    }
  }

  private func settings(
    _ paging: PagingConfiguration, of source: Reference, _ parameters: PagingParameters
  ) -> ListSettings {
    var settings = ListSettings()
    settings.id = configuration.sources[source.name]?.id ?? "id"
    settings.pageSize = parameters.pageSize ?? paging.pageSize
    settings.throttle = (parameters.throttle ?? paging.throttle).duration
    settings.onRefresh = parameters.onRefresh ?? paging.onRefresh
    settings.prefetch = parameters.prefetch ?? paging.prefetch
    settings.confirmRemoval = paging.confirmRemoval
    settings.detail = paging.detail?.name
    settings.onArrival = paging.arrivals
    settings.livePace = paging.livePace.duration
    return settings
  }
}
