import Flow
import FlowTesting
import LetterPages
import Nagare
import Paging
import Testing

@testable import Screens

@Suite struct TasksTests {
  private let m = Marbles()
  private let tasks = Tasks([
    TaskDefinition("rename", to: "name") { UserTask.prompt("Name", text: $0.string).map(\.json) },
    TaskDefinition("logout", to: "loggedIn", initially: true.json) { _ in UserTask.confirm("Sure?").map { false.json }
    },
  ])

  /// A screen with these tasks. `answer` returns the client's answer for the number of a task.
  private final class Stage {
    let view: Opened<Tasks>
    var input: Tasks.Input { view.input }
    let name: Recording<RawJSON>
    let loggedIn: Recording<RawJSON>
    let error: Recording<Failure?>
    private(set) var presented: [RawJSON] = []

    init(_ tasks: Tasks, _ m: Marbles, answer: @escaping (_ number: Int) -> Observable<TaskOutcome>) {
      view = Opened(tasks, on: m.clock)
      let output = view.output
      name = m.record(output.results[0].value) { $0.string?.first ?? "o" }
      loggedIn = m.record(output.results[1].value) { $0.bool == true ? "t" : "f" }
      error = m.record(output.error) { $0 == nil ? "o" : "x" }
      view.input.present.answer = { [unowned self] task in
        presented.append(task)
        return answer(presented.count)
      }
    }

    var rename: Trigger { input.taps[0].tap }
    var logout: Trigger { input.taps[1].tap }
  }

  private func after(_ frames: Int, _ outcome: TaskOutcome) -> Observable<TaskOutcome> {
    .just(outcome).delay(m.frame * frames, on: m.clock)
  }

  @Test func `a result is its output's value, and inputs are ignored while a task is shown`() {
    let stage = Stage(tasks, m) { after(3, $0 == 1 ? .completed("Mei".json) : $0 == 2 ? .cancelled : .completed(nil)) }
    m.play("-aa---------a---", into: stage.rename)
    m.play("---a-a---a------", into: stage.logout)
    m.clock.run(until: m.frame * 15)
    #expect(stage.presented.map { $0.member("kind")?.string } == ["prompt", "confirm", "confirm"])
    stage.name.expect("    o---M-----------")
    stage.loggedIn.expect("t-----------f---")
    stage.error.expect("   o---------------")
  }

  @Test func `a failure stays until the next task begins, and later tasks still work`() {
    let stage = Stage(tasks, m) { $0 == 1 ? .error(broken) : after(2, .completed($0 == 2 ? 7.json : "Mei".json)) }
    m.play("-a-a----a---", into: stage.rename)
    m.play("------a-----", into: stage.logout)
    m.clock.run(until: m.frame * 11)
    stage.error.expect("ox-o-xo-x---")
    #expect(stage.error.elements.compactMap { $0?.trigger } == ["rename", "rename", "logout"])
    #expect(stage.error.elements.compactMap { $0?.code } == [7, -32012, -32012])
    stage.name.expect("o-----------")
  }

  @Test func `a prompt begins with the text of its output`() {
    let stage = Stage(tasks, m) { _ in .just(.completed("Mei".json)) }
    m.play("aa", into: stage.rename)
    m.clock.run(until: m.frame)
    #expect(stage.presented.map { $0.member("text")?.string } == [nil, "Mei"])
    stage.name.expect("(oM)")
  }

  @Test func `closing the view withdraws the task`() throws {
    var isGone = false
    let stage = Stage(tasks, m) { _ in .create { _ in AnyDisposable { isGone = true } } }
    try stage.rename.send()
    #expect(stage.presented.count == 1 && !isGone)
    stage.name.dispose()
    stage.loggedIn.dispose()
    #expect(!isGone)
    stage.error.dispose()
    #expect(isGone)
  }

  @Test func `a late subscriber receives the current values`() throws {
    let input = tasks.makeInput()
    let output = tasks.transform(input, on: m.clock)
    let early = m.record(output.error) { $0 == nil ? "o" : "x" }
    input.present.answer = { _ in .just(.completed("Mei".json)) }
    try input.taps[0].tap.send()
    input.present.answer = { _ in .error(broken) }
    try input.taps[1].tap.send()
    early.expect("(ox)")
    m.record(output.results[0].value) { $0.string?.first ?? "o" }.expect("M")
    m.record(output.results[1].value) { $0.bool == true ? "t" : "f" }.expect("t")
    m.record(output.error) { $0 == nil ? "o" : "x" }.expect("x")
  }

  @Test func `inputs and outputs have the names in the task definitions`() {
    let opened = Opened(tasks, on: m.clock)
    #expect(opened.inputNames == ["rename", "logout"])
    #expect(opened.outputNames == ["name", "loggedIn", "error"])
  }
}
