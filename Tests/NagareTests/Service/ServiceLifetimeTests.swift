import Flow
import Nagare
import RPC
import Testing

struct ServiceLifetimeTests {
  private let ping = Array((#"{"jsonrpc":"2.0","id":1,"method":"ping"}"# + "\n").utf8)

  @Test func `a service that nobody spoke to goes away`() {
    weak var gone: Service?
    do {
      let service = Service(clock: VirtualScheduler())
      gone = service
    }
    #expect(gone == nil)
  }

  @Test func `a peer that outlives its service calls nobody`() {
    var service: Service? = Service(clock: VirtualScheduler())
    let peer = service?.peer
    peer?.receive(ping.span)
    #expect(peer?.handleNext() == true)
    peer?.receive(ping.span)
    service = nil
    #expect(peer?.handleNext() == false)
  }

  @Test func `a service in memory takes bytes in pieces, and gives those of its answers`() {
    let service = Service(clock: VirtualScheduler())
    #expect(service.receive(Array(ping.prefix(10))) == [])
    let answer = service.receive(Array(ping.dropFirst(10)) + ping)
    let line = #"{"jsonrpc":"2.0","id":1,"result":{}}"# + "\n"
    #expect(String(decoding: answer, as: UTF8.self) == line + line)
    #expect(service.receive([]) == [])
  }
}
