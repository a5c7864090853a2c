public import Paging
public import Reactor

extension Source where Item: Codable & Identifiable, Item.ID: Encodable {
  /// Creates a source that another program provides, such as a program with the Python kit. Requests are written to the
  /// program's standard input, and answers are read from its standard output. A source of type `command` in a
  /// configuration works the same way.
  ///
  /// ```swift
  /// let issues = Source<Issue>(command: ["python3", "tracker.py", "tracker.db"], name: "issues", on: loop)
  /// ```
  /// The program is started when it is needed. It is started again after it has ended, and it ends with this process. A
  /// load that fails with a retryable failure is repeated.
  ///
  /// - Parameters:
  ///   - command: the program and its arguments. A name without a slash is looked up in `PATH`.
  ///   - name: the name of the source in the program, if it provides several.
  ///   - id: the field that is the items' id.
  ///   - writes: the kinds of edits that the program makes.
  ///   - live: whether the program reports changes of its items.
  ///   - order: the fields by which the items are sorted, the id last. If it is empty, the program reports the place
  ///     of each inserted item.
  ///   - positions: whether the program can return a page that begins at a position.
  ///   - around: whether the program can return a page that contains a certain item.
  ///   - loop: the event loop that watches the program.
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
