internal import RPC
internal import Nagare

/// Answers the server's requests by the client's handlers. It runs on the loop's thread.
final class Answering {
  /// Called when an answer is ready to be written.
  var onAnswer: () -> Void = {}
  /// Receives the params of each `source/changed` notification to send.
  var onChange: (RawJSON) -> Void = { _ in }
  /// The watches of the client's sources.
  private(set) lazy var watches = Watches(on: loop) { [unowned self] in onChange($0) }
  private let handlers: Handlers
  private let loop: EventLoop
  /// The edits of each source: the running one, and those that wait for it.
  private var edits: [String: [Edit]] = [:]

  private final class Edit {
    let start: () -> any Disposable
    private(set) var running: (any Disposable)?

    init(_ start: @escaping () -> any Disposable) { self.start = start }

    func begin() { running = start() }
  }

  init(_ handlers: Handlers, on loop: EventLoop) { (self.handlers, self.loop) = (handlers, loop) }

  /// Answers a request.
  ///
  /// - Throws: the error if the request can't be answered.
  func answer(_ call: Call) throws(RPCError) -> Answer {
    let params = RawJSON(copying: call.params ?? .emptyObject)
    if call.method == "present" { return try present(params) }
    let name = params.member("source")?.string ?? ""
    guard let source = handlers.sources[name] else {
      throw RPCError(.methodNotFound, "this client doesn't answer \"\(call.method)\" for a source \"\(name)\"")
    }
    switch call.method {
    case "source/page":
      let key = params.member("key").flatMap { $0.isNull ? nil : $0 }
      let size = params.member("size")?.int ?? 20
      let (query, filters) = params.criteria
      var request = PageRequest(key: key, query: query, filters: filters, size: size)
      request.position = params.member("at")?.int
      request.around = params.member("around").flatMap { ItemID($0) }
      return later { [request] in try await source.page(request).json }
    case "source/item":
      guard let item = source.item, let id = params.member("id").flatMap({ ItemID($0) }) else { break }
      return later {
        guard let item = try await item(id) else {
          throw ResponseError(
            code: LoadFailure.Code.noSuchItem.rawValue, message: "there is no item \(id), or none any more")
        }
        return ["item": item].json
      }
    case "source/watch":
      guard let watch = source.watch else { break }
      let (query, filters) = params.criteria
      let looked = SourceWatch(query: query, filters: filters, since: params.member("since")?.string)
      return follow(params) { try await watch(looked) }
    case "source/insert":
      guard let insert = source.insert else { break }
      let (item, before) = (params.member("item") ?? .null, params.member("before").flatMap { ItemID($0) })
      return edit(name) { try await insert(item, before).json }
    case "source/change":
      if let marked = MarkedItems(params) {
        guard let change = source.changeMarked else { break }
        let set = params.member("set") ?? .emptyObject
        return edit(name) {
          try await change(marked, set)
          return .emptyObject
        }
      }
      guard let change = source.change else { break }
      let item = params.member("item") ?? .null
      return edit(name) { try await change(item).json }
    case "source/remove":
      if let marked = MarkedItems(params) {
        guard let remove = source.removeMarked else { break }
        return edit(name) {
          try await remove(marked)
          return .emptyObject
        }
      }
      guard let remove = source.remove, let id = params.member("id").flatMap({ ItemID($0) }) else { break }
      return edit(name) {
        try await remove(id)
        return .emptyObject
      }
    default: break
    }
    throw RPCError(.methodNotFound, "the source \"\(name)\" doesn't answer \"\(call.method)\"")
  }

  private func present(_ params: RawJSON) throws(RPCError) -> Answer {
    let task = params.member("task") ?? .emptyObject
    let kind = task.member("kind")?.string ?? ""
    guard let presenter = handlers.presenters[kind] ?? handlers.otherPresenter else {
      throw RPCError(.methodNotFound, "this client presents no tasks of the kind \"\(kind)\"")
    }
    let presented = PresentedTask(view: params.member("view")?.string ?? "", kind: kind, json: task)
    return later { try await presenter(presented).json }
  }

  private func follow(_ params: RawJSON, _ watch: @escaping @Sendable () async throws -> SourceWatched) -> Answer {
    let place = watches.begin(params)
    return .later { [self] reply in
      Observable.async(on: loop, watch).subscribe(
        onNext: { [unowned self] watched in
          reply.succeed { $0.raw(watched.answer) }
          onAnswer()
          watches.follow(watched, params, in: place)
        },
        onError: { [unowned self] error in
          refuse(reply, error)
          onAnswer()
        }
      ).dispose
    }
  }

  private func refuse(_ reply: Reply, _ error: any Error) {
    reply.fail(
      (error as? ResponseError ?? ResponseError(code: RPCError.Code.internalError.rawValue, message: "\(error)"))
        .rpcError)
  }

  private func later(_ work: @escaping @Sendable () async throws -> RawJSON) -> Answer {
    .later { [self] reply in
      let running = run(work, reply) {}
      return running.dispose
    }
  }

  private func run(
    _ work: @escaping @Sendable () async throws -> RawJSON, _ reply: Reply, then: @escaping () -> Void
  ) -> any Disposable {
    Observable.async(on: loop, work).subscribe(
      onNext: { [unowned self] result in
        reply.succeed { $0.raw(result) }
        then()
        onAnswer()
      },
      onError: { [unowned self] error in
        refuse(reply, error)
        then()
        onAnswer()
      })
  }

  // MARK: - Edits, which run one after another

  private func edit(_ source: String, _ work: @escaping @Sendable () async throws -> RawJSON) -> Answer {
    .later { [self] reply in
      var over = {}
      let edit = Edit { [unowned self] in run(work, reply) { over() } }
      over = { [unowned self, unowned edit] in finish(edit, of: source) }
      edits[source, default: []].append(edit)
      if edits[source]?.count == 1 { edit.begin() }
      return { [unowned self] in
        edit.running?.dispose()
        finish(edit, of: source)
      }
    }
  }

  private func finish(_ edit: Edit, of source: String) {
    let isFirst = edits[source]?.first === edit
    edits[source]?.removeAll { $0 === edit }
    if isFirst { edits[source]?.first?.begin() }
  }
}

extension RawJSON {
  /// The criteria of a source request, as far as its parameters can be read.
  var criteria: (query: String?, filters: Filters?) {
    (member("query")?.string, member("filters").flatMap { try? Filters(json: $0) })
  }
}
