import Paging
import PageSources
import Flow
import RPC
import Testing

@Suite struct CommandSourceTests {
  @Test func `a load sends a request, and the answer is its page byte for byte`() throws {
    let script = try CommandScript(#"next; page "$id" "{\"id\": 1.0, \"line\":$line}"; next"#)
    script.load(query: "tea", size: 3)
    script.run(untilOutcomes: 1)
    let params = #"{"source":"rows","key":null,"query":"tea","size":3}"#
    let request = #"{"jsonrpc":"2.0","id":1,"method":"source/page","params":\#(params)}"#
    #expect(script.outcomes.first?.page?.texts == [#"{"id": 1.0, "line":\#(request)}"#])
  }

  @Test func `the program isn't started before the first load`() throws {
    let script = try CommandScript("exit 3")
    script.end()
    #expect(script.log.isEmpty)
  }

  @Test func `several requests can run at once and be answered in any order`() throws {
    let script = try CommandScript(
      #"next; a=$id; next; page "$id" '{"id":"second"}'; page "$a" '{"id":"first"}'; next"#)
    script.load()
    script.load()
    script.run(untilOutcomes: 2)
    #expect(script.outcomes.map { $0.page?.ids ?? [] } == [[#""second""#], [#""first""#]])
  }

  @Test func `a long turn leaves further answers to the next, so timers can fire in between`()
    throws
  {
    let answers = (1...3).map { #"{"jsonrpc":"2.0","id":\#($0),"result":{"items":[]}}"# }.joined(separator: ",")
    // With this limit, each turn of the loop counts as long.
    let script = try CommandScript("next; next; next; echo '[\(answers)]'; next", longestTurn: .seconds(-1))
    for _ in 0..<3 { script.load() }
    var (timer, between): ((any Disposable)?, Int?) = (nil, nil)
    script.run { [unowned script] in
      if timer == nil, !script.outcomes.isEmpty {
        timer = script.loop.schedule(after: .seconds(-1)) { [unowned script] in between = script.outcomes.count }
      }
      return script.outcomes.count == 3
    }
    #expect(between.map((1...2).contains) == true)
    timer?.dispose()
  }

  @Test func `a dropped load cancels its request`() throws {
    let script = try CommandScript(#"next; next; cancel=$line; next; page "$id" "{\"id\":1,\"line\":$cancel}"; next"#)
    script.load().dispose()
    script.load()
    script.run(untilOutcomes: 1)
    let cancel = #"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}}"#
    #expect(script.outcomes.first?.page?.texts == [#"{"id":1,"line":\#(cancel)}"#])
  }

  @Test func `an error becomes a failure, which is retryable if the error's data marks it as retryable`() throws {
    let script = try CommandScript(
      """
      next; echo '{"jsonrpc":"2.0","id":1,"error":{"code":-5,"message":"busy","data":{"retryable":true}}}'
      next; echo '{"jsonrpc":"2.0","id":2,"error":{"code":-6,"message":"no"}}'; next
      """)
    #expect(script.outcome()?.failure == LoadFailure(code: -5, message: "busy", isRetryable: true))
    #expect(script.outcome()?.failure == LoadFailure(code: -6, message: "no"))
  }

  @Test func `an answer that isn't a page or has no result is a failure`() throws {
    let script = try CommandScript(
      #"next; echo '{"jsonrpc":"2.0","id":1,"result":[]}'; next; echo '{"id":2,"items":[]}'; next; page 3; next"#)
    let first = script.outcome()?.failure
    #expect(first?.code == -32012)
    #expect(
      first?.message == "the source \"rows\" returned no usable page: expected an object at result, found an array")
    let second = script.outcome()?.failure
    #expect(second?.code == -32012)
    #expect(
      second?.message == #"the source "rows" answered with neither "result" nor "error": {"id":2,"items":[]}"#)
    #expect(script.outcome()?.page?.ids == [])
  }

  @Test func `an unreadable answer fails only its own request`() throws {
    var limits = Peer.Limits()
    (limits.messageSize, limits.nesting) = (2000, 10)
    let script = try CommandScript(
      """
      next; next
      printf '{"jsonrpc":"2.0","id":1,"result":{"items":[{"id":1,"deep":[[[[[[[[[[]]]]]]]]]]}]}}\\n'
      next
      printf '{"jsonrpc":"2.0","id":3,"result":{"items":[{"id":1,"large":"%2000s"}]}}\\n' x
      page 2; next
      """, limits: limits)
    script.load()
    script.load(query: "hanging")
    script.run(untilOutcomes: 1)
    #expect(
      script.outcomes[0].failure?.message
        == #"the source "rows" answered source/page with a message that can't be read: nested deeper than 10 at byte 64"#
    )
    script.load()
    script.run(untilOutcomes: 3)
    #expect(script.outcomes.dropFirst().map { $0.failure?.code } == [-32012, nil])
    #expect(script.outcomes[1].failure?.message.contains("--max-message-size") == true)
    #expect(script.outcomes[2].page?.ids == [])
  }

  @Test func `a line that isn't a message is skipped, and reported only until an answer comes`() throws {
    let script = try CommandScript(#"next; echo loading; next; page "$id" '{"id":1}'; next"#)
    let hanging = script.load()
    script.run { [unowned script] in script.source?.source.trouble() != nil }
    let trouble = "its program printed a line that isn't a message; print such lines on standard error: loading"
    #expect(script.source?.source.trouble() == trouble)
    script.load()
    script.run(untilOutcomes: 1)
    #expect(script.outcomes.first?.page?.ids == ["1"])
    #expect(script.source?.source.trouble() == nil)
    hanging.dispose()
  }

  @Test func `requests of a program are refused, and unknown notifications are ignored`() throws {
    let script = try CommandScript(
      """
      next; echo '{"jsonrpc":"2.0","method":"hello"}'; echo '{"jsonrpc":"2.0","id":"a","method":"hello"}'
      mine=$id; next; page "$mine" "{\\"id\\":1,\\"line\\":$line}"; next
      """)
    let text = script.outcome()?.page?.texts.first
    #expect(text?.contains(#""id":"a","error":{"code":-32601,"#) == true)
  }

  @Test func `a program's standard error is logged`() throws {
    let script = try CommandScript(#"echo one >&2; printf 'tw' >&2; next; echo o >&2; exec 2>&-; page "$id"; next"#)
    script.load()
    script.run { [unowned script] in script.log.contains("[rows] two\n") && script.outcomes.count == 1 }
    #expect(script.log.contains("[rows] one\n"))
    #expect(script.log.first?.hasPrefix(#"[rows] <-- {"jsonrpc":"2.0","id":1,"method":"source/page""#) == true)
  }
}
