import Flow
import FlowTesting
import Nagare
import Testing

@testable import Nagare

@Suite struct PresenterTests {
  private let presenter = Presenter()

  private func outcome<Value: Equatable>(of task: UserTask<Value>, _ answer: TaskOutcome) -> [Event<Value>.Kind] {
    presenter.answer = { _ in .just(answer) }
    return kinds(of: presenter(task))
  }

  private func kinds<Value: Equatable>(of stream: Observable<Value>) -> [Event<Value>.Kind] {
    var events: [Event<Value>.Kind] = []
    _ = stream.subscribe { events.append(.init($0)) }
    return events
  }

  @Test func `a completed task sends one value and completes, a cancelled one only completes`() {
    #expect(outcome(of: .prompt("Name"), .completed("Mei".json)) == [.next("Mei"), .completed])
    #expect(outcome(of: .prompt("Name"), .cancelled) == [.completed])
    #expect(outcome(of: UserTask.confirm("Go on?").map { true }, .completed(nil)) == [.next(true), .completed])
    #expect(outcome(of: UserTask.confirm("Go on?").map { true }, .completed(true.json)) == [.next(true), .completed])
    #expect(outcome(of: UserTask.confirm("Go on?").map { true }, .completed(false.json)) == [.completed])
    #expect(outcome(of: UserTask.alert("Done").map { true }, .completed(7.json)) == [.next(true), .completed])
    let choices = [ChoiceItem("a"), ChoiceItem("b")]
    #expect(outcome(of: .choose("Which?", from: choices), .completed("b".json)) == [.next(ItemID("b")), .completed])
  }

  @Test func `a result of the wrong type is a failure that names the expected type`() {
    for (task, value, expected) in [
      (UserTask.prompt("Name").map { _ in 0 }, 7.json as RawJSON?, "a string"),
      (UserTask.prompt("Name").map { _ in 0 }, nil, "a string"),
      (UserTask.confirm("Go on?").map { 0 }, "yes".json, "true or false"),
      (UserTask.pickImage().map { _ in 0 }, .null, "a string or an object"),
      (UserTask.choose("Which?", from: [ChoiceItem("a")]).map { _ in 0 }, "b".json, #""a""#),
    ] {
      presenter.answer = { _ in .just(.completed(value)) }
      var failure: LoadFailure?
      _ = presenter(task).subscribe(onError: { failure = $0 as? LoadFailure })
      #expect(failure?.code == LoadFailure.Code.malformedResponse.rawValue)
      #expect(failure?.message.contains(expected) == true, "\(failure?.message ?? "")")
    }
  }

  @Test func `a second task completes without a result while another is shown`() {
    let answers = PublishSubject<TaskOutcome>()
    var asked: [String] = []
    presenter.answer = { task in
      asked.append(task.member("kind")?.string ?? "")
      return answers.asObservable()
    }
    var names: [String] = []
    _ = presenter(.prompt("Name")).subscribe(onNext: { names.append($0) })
    #expect(kinds(of: presenter(UserTask.pickImage().map { _ in 0 })) == [.completed])
    answers.onNext(.completed("Mei".json))
    #expect(names == ["Mei"])
    #expect(asked == ["prompt"])
  }

  @Test func `a reaction to a result can present the next task`() {
    presenter.answer = { task in .just(.completed(task.member("kind")?.string == "prompt" ? "Mei".json : nil)) }
    let renamed = presenter(.prompt("Name")).flatMap { name in
      presenter(.confirm("Really \(name)?")).map { name }
    }
    #expect(kinds(of: renamed) == [.next("Mei"), .completed])
    #expect(kinds(of: renamed) == [.next("Mei"), .completed])
  }

  @Test func `the next task can be presented after one was dropped`() {
    presenter.answer = { _ in .never() }
    presenter(.alert("Wait")).subscribe(onNext: {}).dispose()
    #expect(outcome(of: .prompt("Name"), .completed("Mei".json)) == [.next("Mei"), .completed])
  }

  @Test func `the next task can be presented after one failed`() {
    presenter.answer = { _ in .error(LoadFailure(.unreachable, "gone")) }
    _ = presenter(.alert("Wait")).subscribe(onError: { _ in })
    #expect(outcome(of: .prompt("Name"), .completed("Mei".json)) == [.next("Mei"), .completed])
  }

  @Test func `a presenter outside of a view fails`() {
    #expect(kinds(of: Presenter()(UserTask.prompt("Name"))) == [.failed])
  }

  @Test func `details that are nil are left out of a task`() {
    #expect(UserTask.prompt("Name", text: "M").json.text == #"{"kind":"prompt","title":"Name","text":"M"}"#)
    #expect(UserTask.alert("Hi").json.text == #"{"kind":"alert","title":"Hi"}"#)
    #expect(UserTask<Int>("dial", ["from": 1]).json.text == #"{"kind":"dial","from":1}"#)
  }
}

extension Event {
  /// An event that can be compared.
  fileprivate enum Kind { case next(Element), completed, failed }
}

extension Event.Kind: Equatable where Element: Equatable {}

extension Event.Kind {
  fileprivate init(_ event: Event<Element>) {
    self = event.element.map(Self.next) ?? (event.error == nil ? .completed : .failed)
  }
}
