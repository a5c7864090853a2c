internal import Flow
internal import ItemList
public import Paging
public import Reactor
internal import WireJSON

extension ItemSource {
  /// A source whose items another program has, such as one of the Python kit: it is asked on its standard input, and
  /// answers on its standard output, as a source of the type `command` is in a configuration.
  ///
  /// ```swift
  /// let issues = ItemSource<Issue>(command: ["python3", "tracker.py", "tracker.db"], name: "issues", on: loop)
  /// ```
  /// It is started when it is needed, started again when it has died, and ends with this one. A load that fails for a
  /// reason that may pass is tried again.
  ///
  /// - Parameters:
  ///   - command: the program, looked for in `PATH` unless it has a slash, and its arguments.
  ///   - name: what it calls the source, if it has several.
  ///   - id: the member of an item that is its id.
  ///   - order: by what its items are in order, the id last; empty where it says a place for each.
  ///   - isLive: whether it tells how its items change.
  ///   - loop: what watches it.
  public init(
    command: [String], name: String, id: String = "id", order: [RowOrder] = [], isLive: Bool = true, on loop: EventLoop
  ) {
    let program = CommandSource(command, name: name, id: id, writes: [.insert, .change, .remove], on: loop, loop: loop)
    let source = program.retrying(name: name, on: loop, seed: .random(in: .min ... .max))
    self.init(
      order: order,
      page: { source.load($0).map { Page(reading: $0) } },
      item: { id in
        guard let item = source.item(id) else { return .empty() }
        return item.flatMap { json -> Observable<Item> in
          do throws(DecodingFailure) {
            return .just(try json.decode())
          } catch {
            return .error(LoadFailure(.badRecord, "the \(Item.self) \(id) of the source \"\(name)\": \(error.message)"))
          }
        }
      },
      edit: { source.write($0)?.map { _ in } ?? .empty() },
      changes: isLive ? { source.changes($0)?.map { SourceChanges(reading: $0) } ?? .never() } : nil)
  }
}
