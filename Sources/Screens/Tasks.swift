public import Nagare

/// A screen of tasks for the user: an input starts each, an output holds what came of it (the view controller as a
/// stream of one value).
public struct Tasks: ViewModel {
  /// What a frontend does with it: an input for each task, and the way to the user.
  public struct Input: ConfiguredPorts {
    let taps: [(name: String, tap: Trigger)]
    let present = Presenter()

    /// Ports of no task.
    public init() { self.init([]) }

    init(_ tasks: [TaskDefinition]) { taps = tasks.map { ($0.input, Trigger()) } }

    /// Lists the inputs under their names.
    public func encode(to encoder: any Encoder) throws {
      var properties = encoder.container(keyedBy: PropertyName.self)
      for (name, tap) in taps { try properties.encode(tap, forKey: PropertyName(name)) }
      try properties.encode(present, forKey: PropertyName("present"))
    }
  }

  /// What it says: an output for each task, and what went wrong.
  public struct Output: Outputs {
    let results: [(name: String, value: Driver<RawJSON>)]
    let error: Driver<Failure?>

    /// Lists the outputs under their names.
    public func encode(to encoder: any Encoder) throws {
      var properties = encoder.container(keyedBy: PropertyName.self)
      for (name, value) in results { try properties.encode(value, forKey: PropertyName(name)) }
      try properties.encode(error, forKey: PropertyName("error"))
    }
  }

  /// The outputs' values, in the order of the tasks, and the task that is presented.
  struct State {
    var values: [RawJSON]
    var task = Load<RawJSON>()
    var presented = 0
  }

  /// What there is to do.
  public let tasks: [TaskDefinition]

  /// A screen of tasks, each with an input and an output of its own.
  public init(_ tasks: [TaskDefinition]) { self.tasks = tasks }

  /// An input for each task.
  public func makeInput() -> Input { Input(tasks) }

  /// One state, of which every output is a part. While a task is presented, taps go by.
  public func transform(_ input: Input, on clock: any Scheduler) -> Output {
    let state = Feedback(State(values: tasks.map(\.initial)), on: clock)
    for (index, (_, tap)) in input.taps.enumerated() {
      state.on(tap) { state in
        if state.task.isRunning { return }
        state.presented = index
        state.task.start()
      }
    }
    state.react(to: \.task, by: input.present) { state in tasks[state.presented].task(state.values[state.presented]) }
    state.on(finished: \.task) { state, value in state.values[state.presented] = value }
    return Output(
      results: tasks.indices.map { index in (tasks[index].output, state.values.map { $0[index] }) },
      error: state.failure)
  }
}
