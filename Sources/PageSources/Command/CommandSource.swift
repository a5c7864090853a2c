package import Flow
internal import ItemList
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
  ///   - capabilities: what it can do.
  ///   - remedy: what to do if it can't be started.
  ///   - limits: what a message of it may at most be.
  ///   - policy: how long to wait before it is started again.
  ///   - log: receives the program's output and its input, line by line, with the source's name. Nil for no log.
  ///   - clock: whose time the pauses are.
  ///   - loop: what watches it.
  package init(
    _ command: [String], in folder: String = "", name: String, id: String,
    _ capabilities: SourceCapabilities = SourceCapabilities(),
    remedy: String = "\"command\" names a program that can be run, and its arguments",
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

  /// The source, whose requests the program answers. It is started if need be; when it has ended, it is asked which changes
  /// were missed.
  package var source: Source<RawJSON> { Source(asking: self) }

  var name: String { program.name }
  var id: String { program.id }
  /// What the program has printed that is no message.
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
