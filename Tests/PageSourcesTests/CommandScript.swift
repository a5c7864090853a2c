import Paging
import PageSources
import Flow
import RPC
import Testing
import WireJSON

@testable import Reactor

/// A source whose program is a shell script, on a virtual clock. Its answers come in real time.
final class CommandScript {
  /// Defines `next`, which reads a request and its id.
  static let reading = "next() { read -r line || exit; id=${line#*\\\"id\\\":}; id=${id%%[,\\}]*}; };"
  /// Defines `page`, which answers with the items and other fields of a page.
  static let answering = #"page() { printf '{"jsonrpc":"2.0","id":%s,"result":{"items":[%s]}}\n' "$1" "$2"; };"#

  let clock = VirtualScheduler()
  let loop: EventLoop
  var outcomes: [Outcome] = []
  var log: [String] = []
  private(set) var source: CommandSource?
  private var condition: () -> Bool = { false }

  /// A script that can use `next` for the next request, and `page ID ITEMS` for an answer.
  convenience init(_ text: String, limits: Peer.Limits = Peer.Limits(), longestTurn: Duration = .seconds(1)) throws {
    try self.init(
      ["sh", "-c", CommandScript.reading + CommandScript.answering + text], limits: limits, longestTurn: longestTurn)
  }

  init(_ command: [String], limits: Peer.Limits = Peer.Limits(), longestTurn: Duration = .seconds(1)) throws {
    loop = try EventLoop(longestTurn: longestTurn)
    source = CommandSource(
      command, name: "rows", id: "id", limits: limits, log: { [unowned self] in log.append($0) }, on: clock, loop: loop)
    loop.stepEnded = { [unowned self] in if condition() { loop.stop() } }
  }

  deinit { end() }

  func end() { if let source { CommandSource.endAll([source]) } }

  /// Starts a load, and records its outcome.
  @discardableResult
  func load(query: String? = nil, size: Int = 2) -> any Disposable {
    source?.source.load(PageRequest(query: query, size: size)).subscribe { [unowned self] event in
      switch event {
      case .next(let page): outcomes.append(.page(page))
      case .error(let error as LoadFailure): outcomes.append(.failure(error))
      case .error, .completed: break
      }
    } ?? AnyDisposable.empty
  }

  /// Runs the loop until a condition is true. Gives up after a time that no correct run takes.
  func run(until condition: @escaping () -> Bool) {
    self.condition = condition
    let patience = loop.schedule(after: .seconds(30)) { [loop] in
      Issue.record("it takes too long")
      loop.stop()
    }
    if !condition() { loop.run() }
    patience.dispose()
  }

  /// Runs the loop until `count` loads have ended.
  func run(untilOutcomes count: Int) { run { [unowned self] in outcomes.count >= count } }

  /// Runs a load, and returns its outcome.
  func outcome() -> Outcome? {
    load()
    run(untilOutcomes: outcomes.count + 1)
    return outcomes.last
  }
}
