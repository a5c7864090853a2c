internal import PageSources
internal import Nagare
internal import WireJSON

extension Configuration {
  /// The default configuration: a screen for each view model, each with its own data.
  package static var demo: Configuration { demo(isLive: false) }

  /// A configuration with a screen for each view model, each with its own data. With live mails, arrivals are deferred
  /// while the first row isn't visible.
  static func demo(isLive: Bool) -> Configuration {
    let genres = ["ramen", "curry", "sushi", "soba", "cafe", "okonomiyaki"].map(ChoiceItem.init)
    let query = "shopSearch.query"
    return Configuration(
      schemaPlace: nil,
      sources: OrderedMembers([
        ("items", demo(.mails, isLive: isLive)), ("articles", demo(.articles)), ("shops", demo(.shops)),
        ("offers", demo(.offers)),
      ]),
      stores: StoreConfigurations([StoreKey(store: "shopSearch", name: "query", first: "ramen".json)]),
      screens: OrderedMembers([
        (
          "items",
          .list(
            ListConfiguration(
              source: "items", detail: "detail", arrivals: isLive ? .defer : .show, display: .mails(isLive: isLive)))
        ),
        ("detail", .pager(PagerConfiguration(viewModel: "pager"))),
        ("articles", .search(SearchConfiguration(source: "articles", detail: "detail", display: .articles))),
        (
          "genres",
          .choice(
            ChoiceConfiguration(
              viewModel: "choice", choices: genres, action: "selectQuery", store: Reference(name: query)))
        ),
        (
          "shops",
          .list(
            ListConfiguration(
              source: "shops", query: .following(StoreReference(store: Reference(name: query))), detail: "detail",
              display: .shops))
        ),
        ("profile", .task(.profile)),
        (
          "offers",
          .feed(
            FeedConfiguration(
              viewModel: "feed", source: Reference(name: "offers"), pageSize: 20, display: DisplayConfiguration(.offers)
            ))
        ),
      ]))
  }

  /// A configuration with a read-only list of a file's items, and its pager.
  init(file path: String, id: String) {
    self.init(
      schemaPlace: nil,
      sources: OrderedMembers([
        ("items", .file(FileSourceConfiguration(type: "file", path: path, id: id, writes: NoEdits())))
      ]),
      stores: StoreConfigurations(),
      screens: OrderedMembers([
        ("items", .list(ListConfiguration(source: "items", detail: "detail"))),
        ("detail", .pager(PagerConfiguration(viewModel: "pager"))),
      ]))
  }

  private static func demo(_ data: DemoData, isLive: Bool = false) -> SourceConfiguration {
    .demo(DemoSourceConfiguration(type: "demo", data: data, live: isLive))
  }
}

extension Display {
  /// How the demo's mails are shown. Only mails of a live mailbox have a field for unread.
  fileprivate static func mails(isLive: Bool) -> Display {
    let archive = Action("remove", name: "Archive", icon: "🗄", key: "e", undo: true, for: .many)
    let reading = [
      Action("change", set: ["unread": false.json], name: "Mark as read", icon: "✓", key: "i", for: .many),
      Action("change", set: ["unread": true.json], name: "Mark as unread", icon: "●", key: "N", for: .many),
    ]
    return Display(
      title: "subject", subtitle: "sender", body: "body", date: "date", unread: isLive ? "unread" : nil,
      actions: [archive] + (isLive ? reading : []))
  }

  fileprivate static var articles: Display {
    Display(title: "title", subtitle: "user", badge: "likes_count", date: "created_at")
  }

  fileprivate static var shops: Display {
    Display(
      title: "name", subtitle: "area", body: "note", badge: "rating",
      columns: ["name", "genre", "area", .yen("price"), Column("rating", format: .number)])
  }

  fileprivate static var offers: Display {
    Display(
      title: "title", subtitle: "seller",
      columns: ["title", .yen("price"), "condition", "seller", "place", Column("likes", format: .number)])
  }
}

extension Display.Column {
  fileprivate static func yen(_ member: String) -> Display.Column {
    Display.Column(member, format: .money, currency: "JPY")
  }
}

extension TasksConfiguration {
  /// The tasks of the demo's screen `profile`.
  fileprivate static var profile: TasksConfiguration {
    TasksConfiguration(
      viewModel: "task",
      tasks: [
        TaskConfiguration(
          input: MemberName("pickImage"), output: MemberName("image"), task: .pickImage(PlainTask(kind: "pickImage")),
          initial: .null, completed: CompletedValue()),
        TaskConfiguration(
          input: MemberName("rename"), output: MemberName("name"),
          task: .prompt(PromptTask(kind: "prompt", title: "New name", message: nil, text: nil)),
          initial: .null, completed: CompletedValue()),
        TaskConfiguration(
          input: MemberName("logout"), output: MemberName("loggedIn"),
          task: .confirm(MessageTask(kind: "confirm", title: "Log out?", message: nil)),
          initial: true.json, completed: CompletedValue(json: false.json)),
      ])
  }
}
