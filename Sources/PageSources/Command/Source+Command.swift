public import Paging
public import Reactor

extension Source where Item: Codable & Identifiable, Item.ID: Encodable {
  /// A source whose items another program has, such as one of the Python kit. The program is asked on its standard input, and
  /// answers on its standard output, as a source of the type `command` in a configuration.
  ///
  /// ```swift
  /// let issues = Source<Issue>(command: ["python3", "tracker.py", "tracker.db"], name: "issues", on: loop)
  /// ```
  /// The program is started when it is needed, started again when it has died, and ended with this process. A load that fails
  /// for a reason that may pass is tried again.
  ///
  /// - Parameters:
  ///   - command: the program, looked for in `PATH` unless it has a slash, and its arguments.
  ///   - name: the program's name for the source, if it has several.
  ///   - id: the member of an item that is its id.
  ///   - writes: the kinds of edits that the program makes.
  ///   - live: whether the program reports how its items change.
  ///   - order: the members by which its items are in order, the id last; empty if it reports a place for each item.
  ///   - positions: whether it gives the page that begins at a position.
  ///   - around: whether it gives the page that holds an item.
  ///   - loop: what watches the program.
  public init(
    command: [String], name: String, id: String = "id", writes: [EditKind] = [.insert, .change, .remove],
    live: Bool = true, order: [RowOrder] = [], positions: Bool = false, around: Bool = false, on loop: EventLoop
  ) {
    let capabilities = SourceCapabilities(
      writes: writes, items: true, live: live, order: order, positions: positions, around: around)
    let program = CommandSource(command, name: name, id: id, capabilities, on: loop, loop: loop)
    self.init(reading: program.source.retrying(name: name, on: loop, seed: .random(in: .min ... .max)))
  }
}
