package import Paging
package import Flow
package import RPC
internal import Reactor
package import WireJSON

/// A source that the client provides. Pages are requested by `source/page` (section 6 of the specification).
package final class ClientSource: RemoteSource {
  let name: String
  let id: String
  let capabilities: SourceCapabilities
  private let peer: Peer
  private let isOffered: () -> Bool
  private let clock: any Scheduler
  private(set) lazy var watches = SourceWatches(
    name: name, id: id, on: clock,
    SourceWatches.Transport(
      ask: { [unowned self] in ask($0) }, tell: { [peer] in peer.notify($0, $1) }, log: { [peer] in peer.log?($0) }))

  /// Creates a source that the client provides if it has named it in `initialize`. The clock times the pauses after
  /// which a failed watch is requested again.
  package init(
    name: String, id: String, peer: Peer, _ capabilities: SourceCapabilities = SourceCapabilities(),
    on clock: any Scheduler, isOffered: @escaping () -> Bool
  ) {
    self.clock = clock
    self.name = name
    self.id = id
    self.capabilities = capabilities
    self.peer = peer
    self.isOffered = isOffered
  }

  /// The source, whose requests the client answers. The client reports progress by `source/progress`.
  package var source: Source<RawJSON> { Source(asking: self) }

  /// Receives the parameters of the client's `source/changed`.
  package func receive(_ params: RawJSON) { watches.receive(params) }

  func ask<Result>(_ request: SourceRequest<Result>) -> Observable<Result> {
    .create { [name, peer, isOffered] observer in
      guard isOffered() else {
        let remedy = "name it in \"capabilities.sources\" of initialize"
        observer.onError(LoadFailure(.unreachable, "the client doesn't provide the source \"\(name)\"; \(remedy)"))
        return AnyDisposable.empty
      }
      if peer.isUnanswered, Result.self == EditResult.self {
        CurrentProcess.log("the source \"\(name)\" can't be sent an edit (\(request.method)): the client has ended\n")
      }
      let number = peer.request(
        request.method, request.params, onProgress: request.onProgress,
        onUnusable: { observer.onError(request.failure(ofAnswer: $0, $1)) },
        completion: { request.answer($0, to: observer) })
      return AnyDisposable { peer.cancel(number) }
    }
  }
}
