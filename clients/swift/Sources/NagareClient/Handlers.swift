internal import Nagare

/// The handlers of a client: for tasks that it presents to the user, and for its sources.
///
/// ```swift
/// var handlers = Handlers()
/// handlers.present("prompt") { task in .completed("Mei") }
/// handlers.source("mine") { request in SourcePage(rows, next: 20) }
/// let session = try await Session.spawn(["nagare"], answering: handlers)
/// ```
/// Each call runs in a separate task, which is cancelled when its answer is no longer needed. A handler throws
/// ``ResponseError`` to show a failure on the screen; any other error is shown by its description.
public struct Handlers: Sendable {
  /// Presents a task, and returns its outcome.
  public typealias Presenter = @Sendable (PresentedTask) async throws -> TaskOutcome

  private(set) var presenters: [String: Presenter] = [:]
  private(set) var otherPresenter: Presenter?
  private(set) var sources: [String: ClientSource] = [:]

  /// Creates handlers that answer no requests.
  public init() {}

  /// Adds the handler of tasks of some kinds. Without kinds it handles all remaining tasks.
  ///
  /// - Parameters:
  ///   - kinds: the kinds of task.
  ///   - presenter: presents a task, and returns its outcome.
  public mutating func present(_ kinds: String..., by presenter: @escaping Presenter) {
    if kinds.isEmpty { otherPresenter = presenter }
    for kind in kinds { presenters[kind] = presenter }
  }

  /// Adds a source that only has pages.
  ///
  /// - Parameters:
  ///   - name: the source's name in the server's configuration.
  ///   - page: returns the requested page.
  public mutating func source(_ name: String, page: @escaping ClientSource.GivePage) {
    sources[name] = ClientSource(page: page)
  }

  /// Adds a source with pages, edits and changes.
  ///
  /// - Parameters:
  ///   - name: the source's name in the server's configuration.
  ///   - source: the functions of the source.
  public mutating func source(_ name: String, _ source: ClientSource) { sources[name] = source }

  /// The client's capabilities, for `initialize`.
  var capabilities: RawJSON {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("deltas")
    writer.bool(true)
    writer.key("present")
    writer.bool(otherPresenter != nil || !presenters.isEmpty)
    writer.key("sources")
    sources.keys.sorted().write(to: &writer)
    writer.key("windows")
    writer.bool(true)
    writer.endObject()
    return RawJSON(trusting: writer.bytes, 0..<writer.bytes.count)
  }
}
