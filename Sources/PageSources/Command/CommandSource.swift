package import Flow
internal import ItemList
package import Paging
package import RPC
package import Reactor
package import WireJSON

/// A source that another program provides. Pages are requested by `source/page` on its standard input, and the answers
/// are read from its standard output (section 6 of the specification).
///
/// The first load starts the program. After the program has ended, the next load starts it again. If the program keeps
/// ending without an answer, a pause comes before each start, and grows.
/// ```swift
/// let rows = CommandSource(["python3", "rows.py"], name: "rows", id: "id", on: clock, loop: loop)
/// let source = rows.source.retrying(name: "rows", on: clock, seed: 1)
/// ```
package final class CommandSource: RemoteSource {
  private let program: SourceProcess.Program
  let capabilities: SourceCapabilities
  private let policy: RetryPolicy
  private let clock: any Scheduler
  private let loop: EventLoop
  private var run: SourceProcess?
  private(set) lazy var watches = SourceWatches(
    name: program.name, id: program.id, on: clock, policy: policy,
    SourceWatches.Transport(
      ask: { [unowned self] in ask($0) }, tell: { [unowned self] in run?.tell($0, $1) },
      trouble: { [unowned self] in trouble }, log: program.log))
  /// How often the program has ended without an answer since its last answer.
  private var consecutiveFailures = 0
  /// The earliest time at which the program may be started again.
  private var nextStart = Duration.zero

  /// Creates a source whose program is started by the first load, with this process's environment.
  ///
  /// - Parameters:
  ///   - command: the program and its arguments. A name without a slash is looked up in `PATH`.
  ///   - folder: the program's working directory; if empty, this process's.
  ///   - name: the name of the source in the configuration.
  ///   - id: the field that is the items' id.
  ///   - capabilities: the capabilities of the program.
  ///   - remedy: the remedy in the error message if the program can't be started.
  ///   - limits: the limits of the program's messages.
  ///   - policy: the pauses before the program is started again.
  ///   - log: receives the program's input and output, line by line, with the source's name. Nil for no log.
  ///   - clock: the clock that times the pauses.
  ///   - loop: the event loop that watches the program.
  package init(
    _ command: [String], in folder: String = "", name: String, id: String,
    _ capabilities: SourceCapabilities = SourceCapabilities(),
    remedy: String = "check that \"command\" has a program that can be run, and its arguments",
    limits: Peer.Limits = Peer.Limits(), policy: RetryPolicy = RetryPolicy(), log: ((String) -> Void)? = nil,
    on clock: any Scheduler, loop: EventLoop
  ) {
    program = SourceProcess.Program(
      command: command, folder: folder, name: name, id: id, remedy: remedy, limits: limits, log: log)
    self.capabilities = capabilities
    self.policy = policy
    self.clock = clock
    self.loop = loop
  }

  /// The source, whose requests the program answers. Requests start the program if it isn't running. When it has ended,
  /// a new one is asked for the changes that were missed.
  package var source: Source<RawJSON> { Source(asking: self) }

  var name: String { program.name }
  var id: String { program.id }
  /// The description of output that isn't a message; nil if there is none.
  var trouble: String? { run?.trouble }

  func ask<Result>(_ request: SourceRequest<Result>) -> Observable<Result> {
    .create { [self] observer in
      let subscription = SerialDisposable()
      ask(request, observer, subscription)
      return subscription
    }
  }

  private func ask<Result>(
    _ request: SourceRequest<Result>, _ observer: Observer<Result>, _ subscription: SerialDisposable
  ) {
    let pause = nextStart - clock.now
    guard run != nil || pause <= .zero else {
      subscription.disposable = clock.schedule(after: pause) { [self] in ask(request, observer, subscription) }
      return
    }
    do throws(LoadFailure) {
      let run = if let run { run } else { try start() }
      subscription.disposable = try run.ask(request, observer)
    } catch {
      observer.onError(error)
    }
  }

  private func start() throws(LoadFailure) -> SourceProcess {
    let run = try SourceProcess(
      of: program, on: loop, onChange: { [weak self] in self?.watches.receive($0) }
    ) { [weak self] run in
      guard let self else { return }
      self.run = nil
      consecutiveFailures = run.hasAnswered ? 0 : consecutiveFailures + 1
      nextStart = consecutiveFailures == 0 ? .zero : clock.now + policy.pause(after: consecutiveFailures)
      watches.interrupt()
    }
    self.run = run
    return run
  }

  /// Ends the program and all processes that it started. No loads run any more.
  public func end() {
    run?.child.onEnd = { _ in }
    run?.child.terminate()
  }

  /// Ends the programs of sources, with all processes that they started. Waits until they have ended, for one second at
  /// most. This is for the end of this process; nothing can be loaded afterwards.
  package static func endAll(_ sources: [CommandSource]) {
    ChildProcess.endAll(sources.compactMap { $0.run?.child })
  }
}
