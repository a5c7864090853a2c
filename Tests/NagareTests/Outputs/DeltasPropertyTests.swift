import Flow
import Nagare
import Randomness
import Testing

@testable import Nagare

/// For any changes of the items and any pace of reading, the client's copy equals the server's list.
@Suite struct DeltasPropertyTests {
  @Test(arguments: [true, false]) func `a client's copy always equals the list`(takesDeltas: Bool) {
    for seed in 0..<50 {
      let run = Run(seed: seed, takesDeltas: takesDeltas)
      for _ in 0..<60 where !run.hasFailed { run.step() }
      run.finish()
      if run.hasFailed { return }
    }
  }
}

private final class Run {
  private let seed: Int
  private let puppet = Puppet()
  private let client: Client
  private var list = ItemList()
  private var random: SplitMix64
  private var lastValue = 0
  /// The client's copy, and its revision.
  private var copy: [String] = []
  private var revision = 0
  private(set) var hasFailed = false

  init(seed: Int, takesDeltas: Bool) {
    self.seed = seed
    random = SplitMix64(seed: seed)
    client = Client(.puppet(puppet))
    client.call("initialize", #"{"protocolVersion":"1","capabilities":{"deltas":\#(takesDeltas)}}"#)
    client.call("open", #"{"screen":"puppet"}"#)
  }

  func step() {
    for _ in 0...Int.random(in: 0...2, using: &random) { change() }
    puppet.items.onNext(list)
    if Int.random(in: 0..<10, using: &random) == 0 {
      hear(client.call("outputs"))
    } else {
      hear(client.step())
    }
    switch Int.random(in: 0..<8, using: &random) {
    case 0:
      client.isBusy = true
      // This fills the output that is ready to be written, so further outputs are queued.
      client.send(#"{"jsonrpc":"2.0","id":"\#(String(repeating: "x", count: 66_000))","method":"ping"}"#)
    case 1:
      client.isBusy = false
      hear(client.read(Int.random(in: 1...100_000, using: &random)))
      client.isBusy = true
    case 2, 3: client.isBusy = false
    default: break
    }
    hear(client.read())
  }

  func finish() {
    client.isBusy = false
    hear(client.read())
    expect(copy == list.texts, "the copy is \(copy), the list \(list.texts)")
    expect(client.service.peer.backlog.isEmpty, "something waits")
  }

  private func change() {
    let id = Int.random(in: 0..<60, using: &random)
    lastValue += 1
    switch Int.random(in: 0..<12, using: &random) {
    case 0...4:
      let count = Int.random(in: 0...20, using: &random)
      list.append(page((0..<count).map { _ in Int.random(in: 0..<400, using: &random) }, value: lastValue))
    case 5: list.prepend(page([id, id + 100], value: lastValue))
    case 6, 7: list.replace(item(id, lastValue))
    case 8: _ = list.remove(id)
    case 9: _ = list.insert(item(id, lastValue), at: list.count / 2)
    case 10: if id < 20 { list.removeAll() }
    default: break
    }
  }

  /// Applies messages as a client does.
  private func hear(_ messages: [String]) {
    for message in messages {
      guard let json = message.raw else { return expect(false, "not JSON: \(message)") }
      if let items = json.member("result")?.member("outputs")?.member("items") {
        take(items)
      } else if json.member("method")?.string == "items", let params = json.member("params") {
        take(params)
      }
    }
  }

  private func take(_ items: RawJSON) {
    let newRevision = items.member("revision")?.int ?? -1
    expect(newRevision >= revision, "the revision fell from \(revision) to \(newRevision)")
    if let value = items.member("value") {
      copy = value.elements.map(\.text)
    } else {
      expect(items.member("base")?.int == revision, "the base is \(items.member("base")?.text ?? "?"), not \(revision)")
      for splice in items.member("splices")?.elements.map({ $0 }) ?? [] {
        let start = splice.member("start")?.int ?? 0
        let end = start + (splice.member("deleteCount")?.int ?? 0)
        guard start >= 0, end <= copy.count else { return expect(false, "a splice of \(start)..<\(end)") }
        copy.replaceSubrange(start..<end, with: splice.member("items")?.elements.map(\.text) ?? [])
      }
      expect(items.member("count")?.int == copy.count, "the count is not \(copy.count)")
    }
    revision = newRevision
  }

  private func expect(_ condition: Bool, _ fault: @autoclosure () -> String) {
    if condition || hasFailed { return }
    hasFailed = true
    Issue.record("seed \(seed): \(fault())")
  }
}
