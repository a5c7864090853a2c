import ItemList
import Paging
import PageSources
import Flow
import RPC
import Testing
import WireJSON

/// A client at the other end of a connection, in memory.
private final class Client {
  let peer = Peer { _ in .empty }
  var isOffering = true
  var outcomes: [Outcome] = []
  private(set) lazy var source = ClientSource(name: "mine", id: "id", peer: peer, on: VirtualScheduler()) {
    [unowned self] in isOffering
  }.source

  /// Starts a load, and records its outcome.
  func load(key: RawJSON? = nil, query: String? = nil, size: Int = 2) -> any Disposable {
    load(PageRequest(key: key, query: query, size: size))
  }

  func load(_ request: PageRequest) -> any Disposable {
    source.load(request).subscribe { [unowned self] event in
      switch event {
      case .next(let page): outcomes.append(.page(page))
      case .error(let error as LoadFailure): outcomes.append(.failure(error))
      case .error, .completed: break
      }
    }
  }

  /// The lines from the server since the last call.
  func received() -> [String] {
    var bytes: [UInt8] = []
    while peer.backlog.readyBytes > 0 {
      peer.write { span in
        for index in span.indices { bytes.append(span[index]) }
        return span.count
      }
    }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  func send(_ text: String) {
    peer.receive(Array((text + "\n").utf8).span)
    while peer.handleNext() {}
  }

  /// Starts a load, and answers it.
  func outcome(of answer: String, _ request: PageRequest = PageRequest(size: 2)) -> Outcome? {
    let load = load(request)
    send("{\"jsonrpc\":\"2.0\",\"id\":1,\(answer)}")
    load.dispose()
    return outcomes.last
  }
}

@Suite struct ClientSourceTests {
  private let client = Client()

  @Test func `at most a hundred items without an id are reported individually`() {
    let items = "{\"id\":1}," + Array(repeating: "{}", count: 5000).joined(separator: ",")
    let page = client.outcome(of: "\"result\":{\"items\":[\(items)]}")?.page
    #expect(page?.ids == ["1"])
    #expect(page?.failures.count == 101)
    #expect(page?.failures.last?.message == "the source \"mine\": 4900 more items were left out")
  }

  @Test func `a load sends a request, and the answer is its page`() throws {
    let load = client.load(key: try RawJSON("{\"after\":7}"), query: "tea", size: 3)
    let params = #"{"source":"mine","key":{"after":7},"query":"tea","size":3}"#
    #expect(client.received() == [#"{"jsonrpc":"2.0","id":1,"method":"source/page","params":\#(params)}"#])
    #expect(client.outcomes.isEmpty)
    client.send(
      #"{"jsonrpc":"2.0","id":1,"result":{"items":[{"id": 1.0},{"id":"\u0061"}],"next": {"after": 9},"total":40}}"#)
    let page = try #require(client.outcomes.first?.page)
    #expect(page.texts == [#"{"id": 1.0}"#, #"{"id":"\u0061"}"#])
    #expect(page.next?.text == #"{"after": 9}"#)
    #expect(page.total == 40)
    load.dispose()
    #expect(client.received() == [])
  }

  @Test func `no request is sent before somebody subscribes`() throws {
    _ = client.source.load(PageRequest(size: 1))
    #expect(client.received() == [])
  }

  @Test func `a page can be requested by a position, or around an item`() throws {
    var request = PageRequest(size: 2)
    request.position = 7
    client.source.load(request).subscribe { _ in }.dispose()
    (request.position, request.around) = (nil, ItemID("a".json))
    client.source.load(request).subscribe { _ in }.dispose()
    let params = client.received().compactMap { try? RawJSON($0).member("params")?.text }
    #expect(
      params == [
        #"{"source":"mine","key":null,"at":7,"query":null,"size":2}"#, #"{"id":1}"#,
        #"{"source":"mine","key":null,"around":"a","query":null,"size":2}"#, #"{"id":2}"#,
      ])
  }

  @Test(arguments: [
    (#""position":0,"total":3"#, 0, nil, nil), (#""position":7,"total":9"#, 7, nil, nil),
    (#""position":7,"total":2,"exact":false"#, 7, nil, nil), (#""position":null"#, nil, nil, nil),
    (#""total":3"#, nil, 4, "an integer from 0 to 9007199254740991 at result.position, found nothing"),
    (#""position":-1"#, nil, nil, "an integer from 0 to 9007199254740991 at result.position, found a number"),
    (#""position":1.5"#, nil, nil, "an integer from 0 to 9007199254740991 at result.position, found a number"),
    (#""position":"7""#, nil, nil, "an integer from 0 to 9007199254740991 at result.position, found a string"),
    (
      #""position":2,"total":3"#, nil, nil,
      #"at least the position of the page's end, or "exact": false, at result.total, found a number"#
    ),
    (#""exact":0"#, nil, nil, "true or false at result.exact, found a number"),
  ]) func `an invalid position of a page is refused`(rest: String, position: Int?, at: Int?, expected: String?) throws {
    var request = PageRequest(size: 2)
    request.position = at
    let outcome = client.outcome(of: #""result":{"items":[{"id":1},{}],\#(rest)}"#, request)
    #expect(outcome?.page?.position == position)
    #expect(outcome?.failure?.message == expected.map { "the source \"mine\" returned no usable page: expected \($0)" })
    #expect(outcome?.failure.map(\.code) == expected.map { _ in -32012 })
  }

  @Test func `a page around an item must contain it`() throws {
    var request = PageRequest(size: 2)
    request.around = ItemID("a".json)
    #expect(client.outcome(of: #""result":{"items":[{"id":1},{"id":"\u0061"}]}"#, request)?.page?.ids.count == 2)
    let other = Client().outcome(of: #""result":{"items":[{"id":1}]}"#, request)?.failure
    #expect(
      other?.message
        == #"the source "mine" returned no usable page: expected a page that has the item "a" at result.items, found an array"#
    )
  }

  @Test(arguments: ["", #","next":null,"total":null"#]) func `a page without a next key is the last one`(rest: String) {
    let page = client.outcome(of: #""result":{"items":[{"id":1}]\#(rest)}"#)?.page
    #expect(page?.ids == ["1"])
    #expect(page?.next == nil)
    #expect(page?.total == nil)
  }

  @Test func `a page keeps only its items' bytes in memory`() {
    let page = client.outcome(of: #""result":{"items":[{"id":1}],"x":"\#(String(repeating: "x", count: 9999))"}"#)?.page
    #expect(page?.items.bytes.count == 10)
  }

  @Test func `a source that the client didn't name fails without a request`() throws {
    client.isOffering = false
    client.load().dispose()
    let message =
      #"the client doesn't provide the source "mine"; name it in "capabilities.sources" of initialize"#
    #expect(client.outcomes.first?.failure == LoadFailure(.unreachable, message))
    #expect(client.received() == [])
  }

  @Test func `a dropped load cancels its request and ignores a late answer`() throws {
    let load = client.load()
    load.dispose()
    client.send(#"{"jsonrpc":"2.0","id":1,"result":{"items":[]}}"#)
    let cancelled = #"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}}"#
    #expect(client.received().last == cancelled)
    #expect(client.outcomes.isEmpty)
  }

  @Test(
    arguments: [
      (#"{"code":7,"message":"no"}"#, LoadFailure(code: 7, message: "no")),
      (#"{"code":7,"message":"no","data":{"retryable":true}}"#, LoadFailure(code: 7, message: "no", isRetryable: true)),
      (#"{"code":7,"message":"no","data":{"retryable":"yes"}}"#, LoadFailure(code: 7, message: "no")),
      (#"{"code":7,"message":"no","data":[true]}"#, LoadFailure(code: 7, message: "no")),
    ])
  func `an error in the answer becomes the load's failure`(error: String, failure: LoadFailure) {
    #expect(client.outcome(of: "\"error\":\(error)")?.failure == failure)
  }

  @Test(
    arguments: [
      ("7", "expected an object at result, found a number"),
      ("{}", "expected an array at result.items, found nothing"),
      (#"{"items":{}}"#, "expected an array at result.items, found an object"),
      (#"{"items":[],"total":"7"}"#, "expected an integer from 0 to 9007199254740991 at result.total, found a string"),
      (#"{"items":[],"total":-1}"#, "expected an integer from 0 to 9007199254740991 at result.total, found a number"),
    ])
  func `an answer that isn't a page is a failure that names the place`(result: String, fault: String) {
    let failure = client.outcome(of: "\"result\":\(result)")?.failure
    #expect(failure == LoadFailure(.malformedResponse, "the source \"mine\" returned no usable page: \(fault)"))
  }

  @Test func `items without a usable id are left out and reported`() {
    let page = client.outcome(of: #""result":{"items":[{"id":1},{"x":1},{"id":[]},8,{"id":2}]}"#)?.page
    #expect(page?.ids == ["1", "2"])
    let fault = #"the item has no id: its field "id" must be a string or a number, found"#
    let remedy = #"(name another field with --id, or with "id" of the source)"#
    #expect(
      page?.failures.map(\.message) == [
        "the source \"mine\": result.items[1]: \(fault) nothing \(remedy); the item was left out",
        "the source \"mine\": result.items[2]: \(fault) an array \(remedy); the item was left out",
        "the source \"mine\": result.items[3]: an item must be an object; the item was left out",
      ])
  }
}
