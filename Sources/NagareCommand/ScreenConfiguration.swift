internal import Nagare
internal import WireJSON

/// The configuration of a screen. Its field `viewModel` determines the other fields.
enum ScreenConfiguration: Sendable {
  case list(ListConfiguration)
  case pager(PagerConfiguration)
  case search(SearchConfiguration)
  case choice(ChoiceConfiguration)
  case feed(FeedConfiguration)
  case task(TasksConfiguration)
}

extension ScreenConfiguration: Tagged {
  static let tag = "viewModel"

  static let kinds: [Kind<ScreenConfiguration>] = [
    Kind("list", ListConfiguration.self) { .list($0) },
    Kind("pager", PagerConfiguration.self) { .pager($0) },
    Kind("search", SearchConfiguration.self) { .search($0) },
    Kind("choice", ChoiceConfiguration.self) { .choice($0) },
    Kind("feed", FeedConfiguration.self) { .feed($0) },
    Kind("task", TasksConfiguration.self) { .task($0) },
  ]

  var content: any JSONEncodable {
    switch self {
    case .list(let content): content
    case .pager(let content): content
    case .search(let content): content
    case .choice(let content): content
    case .feed(let content): content
    case .task(let content): content
    }
  }
}

extension ScreenConfiguration {
  /// The store's key that the list's query follows; nil if it follows none.
  var followedKey: Reference? { if case .list(let list) = self { list.query.reference } else { nil } }
}

extension ScreenConfiguration {
  /// The screen's source; nil if it has none.
  var source: Reference? {
    switch self {
    case .list(let list): list.source
    case .search(let search): search.source
    case .pager(let pager): pager.source
    case .feed(let feed): feed.source
    case .choice, .task: nil
    }
  }

  /// How frontends show the screen; nil if they guess.
  var display: DisplayConfiguration? {
    switch self {
    case .list(let list): list.paging.display
    case .search(let search): search.paging.display
    case .pager(let pager): pager.display
    case .choice(let choice): choice.display
    case .feed(let feed): feed.display
    case .task(let tasks): tasks.display
    }
  }

  /// The question before an item is removed; nil if none is asked.
  var confirmRemoval: String? {
    switch self {
    case .list(let list): list.paging.options.confirmRemoval
    case .search(let search): search.paging.options.confirmRemoval
    case .pager, .choice, .feed, .task: nil
    }
  }
}
