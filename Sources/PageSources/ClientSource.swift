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

  /// A source that the client answers for.
  ///
  /// - Parameters:
  ///   - name: what the configuration and the client call it.
  ///   - id: the member of an item that is its id.
  ///   - peer: the conversation with the client.
  ///   - writes: the edits that it takes.
  ///   - isOffered: whether the client has named the source in `initialize`.
  package init(
    name: String, id: String, peer: Peer, writes: Set<SourceEdit.Kind> = [], isOffered: @escaping () -> Bool
  ) {
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
    ask(SourceQuestion(request, of: name, id: id))
  }

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

  private func ask<Result>(_ question: SourceQuestion<Result>) -> Observable<Result> {
    .create { [name, peer, isOffered] observer in
      guard isOffered() else {
        let remedy = "name it in \"capabilities.sources\" of initialize"
        observer.onError(LoadFailure(.unreachable, "the client doesn't answer for the source \"\(name)\"; \(remedy)"))
        return AnyDisposable.empty
      }
      let number = peer.request(question.method, question.params) { question.answer($0, to: observer) }
      return AnyDisposable { peer.cancel(number) }
    }
  }
}
