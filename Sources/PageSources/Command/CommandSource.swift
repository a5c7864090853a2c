package import Flow
package import ItemList
package import Paging
package import RPC
package import Reactor
package import WireJSON

/// Pages that another program gives, asked for by `source/page` on its standard input and output (section 6 of the
/// specification).
///
/// It is started at the first load, and at the next one again when it has ended, after a pause that grows while it keeps
/// ending without an answer.
/// ```swift
/// let rows = CommandSource(["python3", "rows.py"], name: "rows", id: "id", on: clock, loop: loop)
/// let source = rows.retrying(name: "rows", on: clock, seed: 1)
/// ```
package final class CommandSource: PageSource {
  private let program: SourceProcess.Program
  private let writes: Set<SourceEdit.Kind>
  private let policy: RetryPolicy
  private let clock: any Scheduler
  private let loop: EventLoop
  private var run: SourceProcess?
  private lazy var watches = SourceWatches(
    name: program.name, id: program.id, on: clock, policy: policy,
    SourceWatches.Way(
      ask: { [unowned self] in ask($0) }, tell: { [unowned self] in run?.tell($0, $1) },
      trouble: { [unowned self] in trouble }, log: program.log))
  /// How many times in a row the program has ended without an answer.
  private var consecutiveFailures = 0
  /// When it may be started again.
  private var nextStart = Duration.zero

  /// A source that starts its program at the first load, with this process's environment.
  ///
  /// - Parameters:
  ///   - command: the program, looked for in `PATH` unless it has a slash, and its arguments.
  ///   - folder: where it runs; this process's folder if empty.
  ///   - name: what the configuration calls the source.
  ///   - id: the member of an item that is its id.
  ///   - remedy: what to do if it can't be started.
  ///   - writes: the edits that it takes.
  ///   - limits: what a message of it may at most be.
  ///   - policy: how long to wait before it is started again.
  ///   - log: receives the program's output and its input, line by line, with the source's name. Nil for no log.
  ///   - clock: whose time the pauses are.
  ///   - loop: what watches it.
  package init(
    _ command: [String], in folder: String = "", name: String, id: String,
    remedy: String = "\"command\" names a program that can be run, and its arguments",
    writes: Set<SourceEdit.Kind> = [],
    limits: Peer.Limits = Peer.Limits(), policy: RetryPolicy = RetryPolicy(), log: ((String) -> Void)? = nil,
    on clock: any Scheduler, loop: EventLoop
  ) {
    program = SourceProcess.Program(
      command: command, folder: folder, name: name, id: id, remedy: remedy, limits: limits, log: log)
    self.writes = writes
    self.policy = policy
    self.clock = clock
    self.loop = loop
  }

  /// Asks the program for a page, and starts it if need be. Disposing of the subscription cancels the request.
  package func load(_ request: PageRequest, report: @escaping (RunReport) -> Void) -> Observable<Page<RawJSON>> {
    ask(SourceRequest(request, of: program.name, id: program.id, report: report))
  }

  package func item(_ id: ItemID) -> Observable<RawJSON>? {
    ask(SourceRequest(id, of: program.name, id: program.id))
  }

  package func write(_ edit: SourceEdit) -> Observable<Never>? {
    SourceRequest(edit, in: program.name, taking: writes).map(ask)
  }

  /// Asks the program how the source changes. When it has ended, it is started again, and asked what it has missed.
  package func changes(_ request: WatchRequest) -> Observable<SourceChanges<RawJSON>>? { watches.changes(request) }

  /// What the program has printed that is no message.
  package var trouble: String? { run?.trouble }

  private func ask<Result>(_ request: SourceRequest<Result>) -> Observable<Result> {
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

  /// Tells its program, and all that this has started, to end: nothing is loaded any more.
  public func end() {
    run?.child.onEnd = { _ in }
    run?.child.terminate()
  }

  /// Ends the programs of sources with all that they have started, and waits until they have: until a second after they
  /// were told. For the end of this program; nothing is loaded afterwards.
  package static func endAll(_ sources: [CommandSource]) {
    ChildProcess.endAll(sources.compactMap { $0.run?.child })
  }
}
