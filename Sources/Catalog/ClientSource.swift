public import Flow
public import RPC
internal import WireJSON

/// Pages that the client itself gives, asked for by `source/page` (section 6 of the specification).
public final class ClientSource: PageSource {
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
  public init(
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
  public func load(_ request: PageRequest) -> Observable<Page> {
    ask("source/page") { [name] writer in
      request.write(source: name, to: &writer)
    } reading: { [name, id] answer throws(LoadFailure) in
      try Page(answer, of: name, id: id)
    }
  }

  /// Asks the client to make an edit.
  ///
  /// - Parameter edit: what to do to which item.
  /// - Returns: completion once the client has taken it; nil if it takes no such edits.
  public func write(_ edit: SourceEdit) -> Observable<Never>? {
    guard writes.contains(edit.kind) else { return nil }
    return ask(edit.method) { [name] writer in
      edit.write(source: name, to: &writer)
    } reading: { answer throws(LoadFailure) -> Never? in
      if case .failure(let error) = answer { throw LoadFailure(error) }
      return nil
    }
  }

  private func ask<Result>(
    _ method: String, _ params: @escaping (inout JSONWriter) -> Void,
    reading read: @escaping (Swift.Result<RawJSON, RPCError>) throws(LoadFailure) -> Result?
  ) -> Observable<Result> {
    .create { [name, peer, isOffered] observer in
      guard isOffered() else {
        let remedy = "name it in \"capabilities.sources\" of initialize"
        observer.onError(LoadFailure(.unreachable, "the client doesn't answer for the source \"\(name)\"; \(remedy)"))
        return AnyDisposable.empty
      }
      let number = peer.request(method, params) { answer in
        do throws(LoadFailure) {
          if let result = try read(answer) { observer.onNext(result) }
          observer.onCompleted()
        } catch {
          observer.onError(error)
        }
      }
      return AnyDisposable { peer.cancel(number) }
    }
  }
}
