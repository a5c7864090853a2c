internal import Nagare

/// What a client answers for: tasks that it presents to the user, and sources whose pages it has.
///
/// ```swift
/// var handlers = Handlers()
/// handlers.present("prompt") { task in .completed("Mei") }
/// handlers.source("mine") { request in SourcePage(rows, next: 20) }
/// let session = try await Session.spawn(["nagare"], answering: handlers)
/// ```
/// Each runs in a task of its own, which is cancelled when its answer is no longer needed. It throws ``ResponseError`` to
/// have a failure shown; any other error is shown by its text.
public struct Handlers: Sendable {
  /// Presents a task.
  public typealias Presenter = @Sendable (PresentedTask) async throws -> TaskOutcome

  private(set) var presenters: [String: Presenter] = [:]
  private(set) var otherPresenter: Presenter?
  private(set) var sources: [String: ClientSource] = [:]

  /// Answers for nothing.
  public init() {}

  /// Presents tasks of some kinds; all that have no other presenter, if none is named.
  ///
  /// - Parameters:
  ///   - kinds: the kinds of task.
  ///   - presenter: presents one, and says how it ended.
  public mutating func present(_ kinds: String..., by presenter: @escaping Presenter) {
    if kinds.isEmpty { otherPresenter = presenter }
    for kind in kinds { presenters[kind] = presenter }
  }

  /// Gives the pages of a source.
  ///
  /// - Parameters:
  ///   - name: the source's name in the server's configuration.
  ///   - page: gives the page that is asked for.
  public mutating func source(_ name: String, page: @escaping ClientSource.GivePage) {
    sources[name] = ClientSource(page: page)
  }

  /// Gives the pages of a source, and makes its edits.
  ///
  /// - Parameters:
  ///   - name: the source's name in the server's configuration.
  ///   - source: what gives and makes them.
  public mutating func source(_ name: String, _ source: ClientSource) { sources[name] = source }

  /// What the server is told of it.
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
