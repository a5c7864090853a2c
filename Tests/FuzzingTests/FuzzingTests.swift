import Fuzzing
import Testing

@Suite struct FuzzingTests {
  @Test(arguments: FuzzTarget.all.map(\.name)) func `random inputs find no faults`(name: String) throws {
    let target = try #require(FuzzTarget(name))
    var inputs = Inputs(for: target, seed: 1)
    for number in 0..<target.testedInputs {
      let input = inputs.next()
      do throws(Finding) {
        try target.check(input)
      } catch {
        Issue.record("input \(number) of \(name): \(error)\n\(String(decoding: input, as: UTF8.self))")
        return
      }
    }
  }

  @Test func `the same seed makes the same inputs, beginning with the target's own`() {
    let target = FuzzTarget.json
    var (inputs, again) = (Inputs(for: target, seed: 1), Inputs(for: target, seed: 1))
    var others = Inputs(for: target, seed: 2)
    let made = (0..<100).map { _ in inputs.next() }
    #expect(made == (0..<100).map { _ in again.next() })
    #expect(made != (0..<100).map { _ in others.next() })
    #expect(Array(made.prefix(target.seeds.count)) == target.seeds)
  }
}
