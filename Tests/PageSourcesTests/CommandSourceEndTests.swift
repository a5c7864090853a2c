import Paging
import PageSources
import Flow
import RPC
import Testing

@Suite struct CommandSourceEndTests {
  @Test func `the end of a program fails all waiting loads and names the cause`() throws {
    let script = try CommandScript("next; next; echo Traceback >&2; echo 'ValueError: boom' >&2; echo >&2; exit 3")
    script.load()
    script.load()
    script.run(untilOutcomes: 2)
    let message = """
      the program of the source "rows" ended without an answer (exit status 3); the last line of its log: ValueError: boom; \
      --log shows all of its log
      """
    #expect(
      script.outcomes.map(\.failure)
        == .init(repeating: LoadFailure(.unreachable, message, isRetryable: true), count: 2))
    #expect(script.log.last == "[rows] has ended: exit status 3\n")
  }

  @Test(arguments: [
    "rows/Main.swift:7: Fatal error: no table", "rows/Main.swift:7: Precondition failed: no table",
    "thread 'main' panicked at src/main.rs:7:5:",
  ])
  func `the reason of a crash is quoted, even if a backtrace follows it`(reason: String) throws {
    let script = try CommandScript(
      """
      next; echo starting >&2; echo "\(reason)" >&2; for n in 1 2 3; do echo "$n at 0x7f00" >&2; done; exit 3
      """)
    #expect(script.outcome()?.failure?.message.contains("(exit status 3); it crashed: \(reason); --log") == true)
  }

  @Test func `the failure at a program's end quotes a line that isn't a message and names the signal`() throws {
    let script = try CommandScript("next; echo loading; kill -9 $$")
    let message = script.outcome()?.failure?.message
    #expect(message?.contains("(signal 9 (Killed))") == true)
    #expect(message?.contains("print such lines on standard error: loading") == true)
  }

  @Test func `a last answer counts, even without a line feed`() throws {
    let script = try CommandScript(#"next; printf '{"jsonrpc":"2.0","id":1,"result":{"items":[{"id":7}]}}'"#)
    #expect(script.outcome()?.page?.ids == ["7"])
  }

  @Test func `a program that has answered is restarted immediately`() throws {
    let script = try CommandScript(#"next; page "$id" "{\"id\":$$}""#)
    let first = script.outcome()?.page?.ids
    script.run { [unowned script] in script.log.last?.contains("has ended") == true }
    let second = script.outcome()?.page?.ids
    #expect(first?.count == 1 && second?.count == 1 && first != second)
    #expect(script.clock.now == .zero)
  }

  @Test func `pauses between restarts grow up to a limit while no answer comes`() throws {
    let script = try CommandScript("next; exit 1")
    #expect(script.outcome()?.failure != nil)
    var pauses: [Duration] = []
    for _ in 0..<7 {
      script.load()
      let due = try #require(script.clock.timers.nextDue)
      pauses.append(due - script.clock.now)
      script.clock.run(until: due)
      script.run(untilOutcomes: script.outcomes.count + 1)
    }
    #expect(pauses == [500, 1000, 2000, 4000, 8000, 10_000, 10_000].map { .milliseconds($0) })
  }

  @Test func `a load that is dropped during the pause doesn't start the program`() throws {
    let script = try CommandScript("next; exit 1")
    #expect(script.outcome()?.failure != nil)
    let logged = script.log.count
    script.load().dispose()
    script.clock.run()
    #expect(script.clock.now == .zero)
    #expect(script.log.count == logged)
  }

  @Test func `a program that can't be started is a failure that isn't retryable`() throws {
    let script = try CommandScript(["nagare-nowhere", "x"])
    script.load()
    let message = """
      the source "rows" can't start nagare-nowhere: No such file or directory; check that "command" has a program \
      that can be run, and its arguments
      """
    #expect(script.outcomes.map(\.failure) == [LoadFailure(.unreachable, message)])
  }

  @Test func `an answer over the limit fails the only waiting load`() throws {
    var limits = Peer.Limits()
    limits.messageSize = 1000
    // It is unknown which request the message answers, so the only request is cancelled.
    let large = #"printf '{"jsonrpc":"2.0","result":{"items":[],"x":"%01000d"},"id":1}\n' 7"#
    let script = try CommandScript("next; \(large); next; next; page $id '{\"id\":2}'; next", limits: limits)
    let failure = script.outcome()?.failure
    #expect(failure?.code == -32012 && failure?.isRetryable == false)
    #expect(failure?.message.contains("1000 bytes at most") == true)
    #expect(failure?.message.contains("--max-message-size") == true)
    #expect(script.outcome()?.page?.ids == ["2"])
  }

  @Test func `memory for a program that doesn't read is bounded`() throws {
    let script = try CommandScript("exec sleep 600")
    let query = String(repeating: "q", count: 1 << 20)
    for _ in 0..<2 { script.load(query: query) }
    #expect(script.outcomes.isEmpty)
    script.load(query: query)
    let message = "the program of the source \"rows\" doesn't read its standard input"
    #expect(script.outcomes.map(\.failure) == [LoadFailure(.timeout, message, isRetryable: true)])
  }

  @Test func `the end of a program is noticed even if another process keeps its output open`() throws {
    let script = try CommandScript("next; sleep 600 & exit 4")
    #expect(script.outcome()?.failure?.message.contains("(exit status 4)") == true)
  }

  @Test func `a load that took too long quotes the output that came instead of an answer`() throws {
    let script = try CommandScript("next; echo '{broken'; next; exec sleep 600")
    let source = try #require(script.source).source.retrying(name: "rows", on: script.clock, seed: 1)
    var failure: LoadFailure?
    let load = source.load(PageRequest(size: 1)).subscribe { _ in
    } onError: {
      failure = $0 as? LoadFailure
    }
    script.run { [unowned script] in script.source?.source.trouble() != nil }
    script.clock.run(until: .seconds(60))
    #expect(failure?.code == -32011)
    #expect(failure?.message.hasSuffix("print such lines on standard error: {broken; try again later") == true)
    load.dispose()
  }
}
