import Flow
import Nagare
import RPC
import Testing

struct ServiceLifetimeTests {
  private let ping = Array((#"{"jsonrpc":"2.0","id":1,"method":"ping"}"# + "\n").utf8)

  @Test func `a service without any messages is released`() {
    weak var gone: Service?
    do {
      let service = Service(clock: VirtualScheduler())
      gone = service
    }
    #expect(gone == nil)
  }

  @Test func `a peer that outlives its service handles no messages`() {
    var service: Service? = Service(clock: VirtualScheduler())
    let peer = service?.peer
    peer?.receive(ping.span)
    #expect(peer?.handleNext() == true)
    peer?.receive(ping.span)
    service = nil
    #expect(peer?.handleNext() == false)
  }

  @Test func `a service in memory receives bytes in pieces and returns the bytes of its answers`() {
    let service = Service(clock: VirtualScheduler())
    #expect(service.receive(Array(ping.prefix(10))) == [])
    let answer = service.receive(Array(ping.dropFirst(10)) + ping)
    let line = #"{"jsonrpc":"2.0","id":1,"result":{}}"# + "\n"
    #expect(String(decoding: answer, as: UTF8.self) == line + line)
    #expect(service.receive([]) == [])
  }
}
