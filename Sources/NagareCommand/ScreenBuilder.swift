internal import PageSources
internal import Screens
internal import Flow
package import Nagare
internal import RPC
internal import Reactor
internal import WireJSON

/// Creates the screens of a configuration. The configuration is from a file, or made from the command line.
package struct ScreenBuilder {
  let configuration: Configuration
  /// The folder of relative paths: empty, or ending in a slash.
  let folder: String

  /// Reads the configuration that the command line names. The kit prints the configuration of a table; the loop runs
  /// until it has done so.
  init(_ arguments: Arguments, on loop: EventLoop) throws(ConfigurationError) {
    if let path = arguments.configuration {
      let file = try ConfigurationFile(path: path)
      self.init(file.configuration, in: file.folder)
    } else if !arguments.table.isEmpty {
      self.init(try TableKit.find().configuration(for: arguments.table, on: loop))
    } else if let path = arguments.file {
      if let error = FileStatus.reasonNotToRead(path) {
        throw ConfigurationError(description: "nagare: \(error); name a readable file with --file")
      }
      self.init(Configuration(file: path, id: arguments.id ?? "id"))
    } else {
      self.init(Configuration.demo(isLive: arguments.isLive))
    }
  }

  /// Creates a builder. Relative paths start at `folder`, which is empty or ends in a slash.
  package init(_ configuration: Configuration, in folder: String = "") {
    (self.configuration, self.folder) = (configuration, folder)
  }

  /// Adds the screens to a service.
  package func addScreens(to service: Service, _ factory: inout SourceFactory) {
    var sources: [WireText: Source<RawJSON>] = [:]
    for (name, source) in configuration.sources.values {
      sources[WireText(name)] = factory.source(name, source, in: folder)
    }
    for screen in screens(of: sources, in: service) { service.add(screen, validated: true) }
  }

  /// Returns the screens with their sources, in their order.
  func screens(of sources: [WireText: Source<RawJSON>], in service: Service) -> [Screen] {
    let stores = ConfiguredStores(configuration, on: service.dispatcher)
    return configuration.screens.values.compactMap { name, screen in
      let source = screen.source.flatMap { configuration.sources[$0.name] }
      return self.screen(name, screen, sources, stores, in: service)?.displayed(as: screen.display?.display)
        .identifiedBy(source?.id ?? "id")
        .confirmingRemovals(by: source?.isReadOnly == true ? nil : screen.confirmRemoval)
    }
  }

  private func screen(
    _ name: String, _ screen: ScreenConfiguration, _ sources: [WireText: Source<RawJSON>], _ stores: ConfiguredStores,
    in service: Service
  ) -> Screen? {
    switch screen {
    case .choice(let choice): return choice.screen(name, on: service.dispatcher)
    case .task(let tasks): return tasks.screen(name)
    case .feed(let feed):
      guard let source = sources[WireText(feed.source.name)] else { return nil }
      return feed.screen(name) { source.load($0) { _ in } }
    case .pager(let pager):
      let source = pager.source.flatMap { sources[WireText($0.name)] }
      let item = source.flatMap { $0.capabilities.items ? $0.loadItem : nil }
      return Screen(name, viewModel: "pager", like: Pager.example, parent: \PagerParameters.list) {
        [unowned service] parameters throws(RPCError) in try pager.open(parameters, item, in: service)
      }
    case .list(let list):
      guard let source = sources[WireText(list.source.name)] else { return nil }
      return Screen(
        name, viewModel: "list", example: ListParameters(),
        checking: { [unowned service] (it) throws(RPCError) in
          try it.paging.check(service.client)
        }
      ) { parameters in
        var settings = settings(list.paging, of: list.source, parameters.paging, stores)
        switch (parameters.query, list.query) {
        case (let query?, _), (nil, .value(let query)): settings.query = query.text
        case (nil, .following(let key)): settings.queries = stores.texts(of: key.store.name)
        }
        return List(settings, source)
      }.fully(like: List(.full, source.editable))
    case .search(let search):
      guard let source = sources[WireText(search.source.name)] else { return nil }
      return Screen(
        name, viewModel: "search", example: SearchParameters(),
        checking: { [unowned service] (it) throws(RPCError) in
          try it.paging.check(service.client)
        }
      ) { parameters in
        var settings = settings(search.paging, of: search.source, parameters.paging, stores)
        settings.query = (parameters.query ?? search.query).text
        return Search(settings, debounce: (parameters.debounce ?? search.debounce).duration, source)
      }.fully(like: Search(.full, debounce: .zero, source.editable))
    }
  }

  /// Reports displays that need something that their screen doesn't have. Screens with other mistakes are left out.
  func checkDisplays(in context: inout DecodingContext) {
    let wrong = Set(context.failures.map { $0.path.prefix(2).map { WireText($0) } })
    let displays = configuration.screens.values.reduce(into: [WireText: RawJSON]()) { displays, screen in
      guard let display = screen.value.display, !wrong.contains(["screens", WireText(screen.name)]) else { return }
      displays[WireText(screen.name)] = display.json
    }
    if displays.isEmpty { return }
    let sources = configuration.sources.values.map { name, source in
      (WireText(name), Source<RawJSON>(writes: source.isReadOnly ? [] : EditKind.allCases) { _ in .never() })
    }
    for screen in screens(of: Dictionary(sources) { $1 }, in: Service(clock: VirtualScheduler())) {
      guard let display = displays[WireText(screen.name)] else { continue }
      context.within("screens") { context in
        context.within(screen.name) { context in
          context.within("display") { Display.check(display, on: screen, in: &$0) }
        }
      }
    }
  }

  private func settings(
    _ paging: PagingConfiguration, of source: Reference, _ parameters: PagingParameters, _ stores: ConfiguredStores
  ) -> ListSettings {
    var settings = ListSettings()
    settings.id = configuration.sources[source.name]?.id ?? "id"
    settings.options = paging.options.overridden(by: parameters.options)
    // If the display has an action that can be undone, the screen gets a time for undoing.
    if paging.display?.display.offersUndo == true { settings.options.undo = paging.options.undo ?? Milliseconds(5000) }
    settings.detail = paging.detail?.name
    settings.margin = parameters.window?.margin
    if let detail = settings.detail, case .pager(let pager)? = configuration.screens[detail] {
      settings.isDetailWhole = pager.whole
    }
    settings.filters = paging.filters.values.compactMap { name, filter in
      switch filter {
      case .value(let value): FilterSetting(name, value)
      case .following(let key): stores.values(of: key.store.name).map { FilterSetting(name, following: $0) }
      }
    }
    return settings
  }
}

extension Source {
  /// The source with lists that can be edited. It describes the view model, whatever the source of a screen can do.
  fileprivate var editable: Source {
    var source = self
    source.capabilities.writes = nil
    return source
  }
}

extension ListSettings {
  /// Settings that give a list all optional inputs and outputs.
  fileprivate static var full: ListSettings {
    var settings = ListSettings()
    settings.filters = [FilterSetting("sort", .null)]
    settings.options = PagingOptions(
      onArrival: .defer, sections: SectionRule(by: "date"), hasMarks: true, reportsPending: true,
      undo: Milliseconds(5000))
    settings.margin = 50
    return settings
  }
}

extension PagerConfiguration {
  /// Creates a pager for a client: on an item of an open list, or on an item alone.
  fileprivate func open(
    _ parameters: PagerParameters, _ item: ((ItemID) -> Observable<RawJSON>)?, in service: Service
  ) throws(RPCError) -> Pager {
    guard parameters.list != nil || item != nil else {
      let others = "this one is opened by another view's input, or with the name of an open list in \"list\""
      throw RPCError("screen", mustBe: "one that a client can open on its own; \(others)")
    }
    guard let id = parameters.id else { throw RPCError("params.id", mustBe: "a string or a number") }
    var settings = PagerSettings()
    (settings.isWhole, settings.item) = (whole, item)
    guard let name = parameters.list else { return Pager(on: id, settings) }
    guard let list = try service.output(of: name) as? any PagerOpening else {
      throw RPCError("params.list", mustBe: "the name of an open list or search", not: name)
    }
    if let pager = list.pager(on: id, settings) { return pager }
    let remedy = "for other items, the screen or the list needs a source with \"items\": true"
    throw RPCError("params.id", mustBe: "the id of a listed item; \(remedy)", not: id)
  }
}
