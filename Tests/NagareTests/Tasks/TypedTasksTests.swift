import Flow
import FlowTesting
import Nagare
import Testing

/// A point on a map, the result of an app's own kind of task.
private struct Place: Record, Equatable {
  let latitude: Double
  let longitude: Double

  static let fields = Fields(
    Place.init, Field("latitude", \.latitude, "Degrees north."), Field("longitude", \.longitude, "Degrees east."))
}

extension UserTask<Place> {
  fileprivate static var pickPlace: UserTask { UserTask("pickPlace") }
}

/// A view model with tasks whose results have four types. Each is presented in one line of code.
private struct Profile: ViewModel {
  struct Input: Ports {
    let rename = Trigger()
    let move = Trigger()
    let paint = Trigger()
    let leave = Trigger()
    let present = Presenter()
  }
  struct Output: Outputs {
    let name: Signal<String>
    let home: Signal<Place>
    let colour: Signal<ItemID>
    let left: Signal<Bool>
  }

  func transform(_ input: Input, on clock: any Scheduler) -> Output {
    let colours = [ChoiceItem("red"), ChoiceItem("blue")]
    return Output(
      name: input.rename.stream.flatMapFirst { input.present(.prompt("New name")) }.asSignal { _ in nil },
      home: input.move.stream.flatMapFirst { input.present(.pickPlace) }.asSignal { _ in nil },
      colour: input.paint.stream.flatMapFirst { input.present(.choose("Colour", from: colours)) }.asSignal { _ in nil },
      left: input.leave.stream.flatMapFirst { input.present(.confirm("Leave?")) }.map { true }.asSignal { _ in nil })
  }
}

@Suite struct TypedTasksTests {
  private let m = Marbles()

  @Test func `each task has its own type of result`() throws {
    let input = Profile.Input()
    let output = Profile().transform(input, on: m.clock)
    input.present.answer = { task in
      switch task.member("kind")?.string {
      case "prompt": .just(.completed("Mei".json))
      case "pickPlace": .just(.completed(Place(latitude: 35.5, longitude: 139.5).json))
      case "choose": .just(.completed("blue".json))
      default: .just(.completed(nil))
      }
    }
    var name = ""
    var home: Place?
    var colour: ItemID?
    var left = false
    let subscriptions: [any Disposable] = [
      output.name.subscribe(onNext: { name = $0 }), output.home.subscribe(onNext: { home = $0 }),
      output.colour.subscribe(onNext: { colour = $0 }), output.left.subscribe(onNext: { left = $0 }),
    ]
    for tap in [input.rename, input.move, input.paint, input.leave] { try tap.send() }
    #expect(name == "Mei" && colour == ItemID("blue") && left)
    #expect(home == Place(latitude: 35.5, longitude: 139.5))
    for subscription in subscriptions { subscription.dispose() }
  }

  @Test func `a presenter shows one task at a time, whichever input starts it`() {
    let input = Profile.Input()
    let output = Profile().transform(input, on: m.clock)
    input.present.answer = { [m] task in
      .just(.completed(task.member("kind")?.string == "prompt" ? "M".json : nil)).delay(m.frame * 3, on: m.clock)
    }
    let names = m.record(output.name)
    let left = m.record(output.left)
    m.play("-a----a---", into: input.rename)
    m.play("---a-a----", into: input.leave)
    m.clock.run(until: m.frame * 9)
    names.expect("----M-----")
    left.expect(" --------t-")
  }
}
