package import Paging
package import Flow
package import ItemList
package import RPC
package import WireJSON

/// Pages that the client itself gives, asked for by `source/page` (section 6 of the specification).
package final class ClientSource: PageSource {
  private let name: String
  private let id: String
  private let peer: Peer
  private let writes: Set<SourceEdit.Kind>
  private let isOffered: () -> Bool
  private let clock: any Scheduler
  private lazy var watches = SourceWatches(
    name: name, id: id, on: clock,
    SourceWatches.Way(
      ask: { [unowned self] in ask($0) }, tell: { [peer] in peer.notify($0, $1) }, log: { [peer] in peer.log?($0) }))

  /// A source that the client answers for.
  ///
  /// - Parameters:
  ///   - name: what the configuration and the client call it.
  ///   - id: the member of an item that is its id.
  ///   - peer: the conversation with the client.
  ///   - writes: the edits that it takes.
  ///   - clock: whose time the pauses are after which it is asked again how it changes.
  ///   - isOffered: whether the client has named the source in `initialize`.
  package init(
    name: String, id: String, peer: Peer, writes: Set<SourceEdit.Kind> = [], on clock: any Scheduler,
    isOffered: @escaping () -> Bool
  ) {
    self.clock = clock
    self.name = name
    self.id = id
    self.peer = peer
    self.writes = writes
    self.isOffered = isOffered
  }

  /// Asks the client for a page. Disposing of the subscription cancels the request.
  ///
  /// - Parameter request: which page, of what, and how long.
  /// - Returns: the client's page.
  package func load(_ request: PageRequest) -> Observable<Page<RawJSON>> {
    load(request) { _ in }
  }

  /// Asks the client for a page. Disposing of the subscription cancels the request.
  ///
  /// - Parameters:
  ///   - request: which page, of what, and how long.
  ///   - onProgress: called with what the client says by `source/progress`.
  /// - Returns: the client's page.
  package func load(
    _ request: PageRequest, onProgress: @escaping (LoadProgress) -> Void
  ) -> Observable<Page<RawJSON>> { ask(SourceQuestion(request, of: name, id: id, onProgress: onProgress)) }

  /// Asks the client for one whole item. Disposing of the subscription cancels the request.
  ///
  /// - Parameter id: the item's id.
  /// - Returns: the item.
  package func item(_ id: ItemID) -> Observable<RawJSON>? { ask(SourceQuestion(id, of: name, id: self.id)) }

  /// Asks the client to make an edit.
  ///
  /// - Parameter edit: what to do to which item.
  /// - Returns: completion once the client has taken it; nil if it takes no such edits.
  package func write(_ edit: SourceEdit) -> Observable<Never>? {
    SourceQuestion(edit, in: name, taking: writes).map(ask)
  }

  /// Asks the client how the source changes.
  ///
  /// - Parameter request: what is looked for, and from which state on.
  /// - Returns: what the client says.
  package func changes(_ request: WatchRequest) -> Observable<SourceChanges<RawJSON>>? { watches.changes(request) }

  /// The client says how the source has changed.
  ///
  /// - Parameter params: the parameters of `source/changed`.
  package func hear(_ params: RawJSON) { watches.hear(params) }

  private func ask<Result>(_ question: SourceQuestion<Result>) -> Observable<Result> {
    .create { [name, peer, isOffered] observer in
      guard isOffered() else {
        let remedy = "name it in \"capabilities.sources\" of initialize"
        observer.onError(LoadFailure(.unreachable, "the client doesn't answer for the source \"\(name)\"; \(remedy)"))
        return AnyDisposable.empty
      }
      let number = peer.request(question.method, question.params, onProgress: question.onProgress) {
        question.answer($0, to: observer)
      }
      return AnyDisposable { peer.cancel(number) }
    }
  }
}
