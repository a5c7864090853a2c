import Flow
import Testing

@testable import Nagare
@testable import Reactor

/// The output after the input has ended, on pipes of this process. No test waits in real time: either the loop ends, or
/// the test hangs.
struct StdioTransportTests {
  private struct Waiting: ViewModel {
    struct Input: Ports { let text = Port<String>("text") }
    struct Output: Outputs { let text: Driver<String> }

    let rest: Duration
    let clock: any Scheduler

    func transform(_ input: Input, on clock: any Scheduler) -> Output {
      Output(text: input.text.stream.debounce(rest, on: self.clock).asDriver(startingWith: "") { _ in "" })
    }
  }

  private struct Ticking: ViewModel {
    struct Input: Ports {}
    struct Output: Outputs { let ticks: Driver<Int> }

    func transform(_ input: Input, on clock: any Scheduler) -> Output {
      Output(ticks: Observable.interval(.seconds(3600), on: clock).asDriver(startingWith: -1) { _ in -1 })
    }
  }

  private let opening = #"{"jsonrpc":"2.0","id":1,"method":"open","params":{"screen":"s","view":"v"}}"#
  private let typing = #"{"jsonrpc":"2.0","method":"text","params":{"text":"a"}}"#
  private let heard = #"{"jsonrpc":"2.0","method":"text","params":{"view":"v","value":"a"}}"#

  /// All output of a service whose input consists of these lines.
  private func lines(
    from screen: (EventLoop) -> Screen, to lines: String..., drainTimeout: Duration, clock: (any Scheduler)? = nil
  ) throws -> [String] {
    let loop = try EventLoop()
    let (input, output) = (try Descriptor.pipe(), try Descriptor.pipe())
    let service = Service(clock: clock ?? loop)
    service.add(screen(loop))
    for line in lines { #expect(try input.writing.write(Array("\(line)\n".utf8).span) == .bytes(line.utf8.count + 1)) }
    input.writing.close()
    let streams = StandardStreams(input: input.reading, output: output.writing)
    #expect(StdioTransport(service, on: loop, streams, drainTimeout: drainTimeout).converse() == .inputEnded)
    output.writing.close()
    var said: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while case .bytes(let count) = try output.reading.read(into: &buffer), count > 0 { said += buffer[..<count] }
    for end in [input.reading, output.reading] { end.close() }
    return String(decoding: said, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  @Test func `a pause that runs when the input ends finishes, and its output is sent`() throws {
    let said = try lines(
      from: { loop in Screen("s") { Waiting(rest: .milliseconds(1), clock: loop) } }, to: opening, typing,
      drainTimeout: .seconds(3600))
    #expect(said.count == 2)
    #expect(said.last == heard)
  }

  /// A view model that saves when its view closes, which takes some time.
  private struct Saving: ViewModel {
    struct Input: Ports {}
    struct Output: Outputs { let error: Driver<Failure?> }
    struct State { var saving = Jobs<Int, Void>(.queued, outlivesSubscribers: true) }
    let clock: any Scheduler
    let saved: () -> Void

    func transform(_ input: Input, on _: any Scheduler) -> Output {
      let state = Feedback(State(), on: clock)
      state.onClose { $0.saving.add(1) }
      state.react(to: \.saving) { [clock, saved] _ in
        Observable.just(()).delay(.milliseconds(1), on: clock).do(onNext: saved)
      }
      return Output(error: state.failure)
    }
  }

  @Test func `work that a view begins when the input ends finishes`() throws {
    var count = 0
    _ = try lines(
      from: { loop in Screen("s") { Saving(clock: loop) { count += 1 } } }, to: opening, drainTimeout: .seconds(3600))
    #expect(count == 1)
  }

  @Test func `work that takes longer than the time limit is dropped`() throws {
    let said = try lines(
      from: { loop in Screen("s") { Waiting(rest: .seconds(3600), clock: loop) } }, to: opening, typing,
      drainTimeout: .zero
    )
    #expect(said.count == 1)
  }

  @Test func `endless work doesn't delay the end`() throws {
    let said = try lines(from: { _ in Screen("s") { Ticking() } }, to: opening, drainTimeout: .seconds(3600))
    #expect(said.count == 1)
  }

  @Test func `on a virtual clock running work is dropped at the end of the input`() throws {
    let clock = VirtualScheduler()
    let said = try lines(
      from: { _ in Screen("s") { Waiting(rest: .seconds(1), clock: clock) } }, to: opening, typing,
      drainTimeout: .seconds(3600), clock: clock)
    #expect(said.count == 1)
  }
}
