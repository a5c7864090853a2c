public import Nagare

/// A screen of tasks for the user. For each task, an input starts it, and an output sends its result.
public struct Tasks: ViewModel {
  /// The inputs: one for each task, and the presenter.
  public struct Input: ConfiguredPorts {
    let taps: [(name: String, tap: Trigger)]
    let present = Presenter()

    /// Creates ports for no tasks.
    public init() { self.init([]) }

    init(_ tasks: [TaskDefinition]) { taps = tasks.map { ($0.input, Trigger()) } }

    /// Encodes the inputs under their names.
    public func encode(to encoder: any Encoder) throws {
      var properties = encoder.container(keyedBy: PropertyName.self)
      for (name, tap) in taps { try properties.encode(tap, forKey: PropertyName(name)) }
      try properties.encode(present, forKey: PropertyName("present"))
    }
  }

  /// The outputs: one for each task, and the failure.
  public struct Output: Outputs {
    let results: [(name: String, value: Driver<RawJSON>)]
    let error: Driver<Failure?>

    /// Encodes the outputs under their names.
    public func encode(to encoder: any Encoder) throws {
      var properties = encoder.container(keyedBy: PropertyName.self)
      for (name, value) in results { try properties.encode(value, forKey: PropertyName(name)) }
      try properties.encode(error, forKey: PropertyName("error"))
    }
  }

  /// The outputs' values in the order of the tasks, and the task that is shown.
  struct State {
    var values: [RawJSON]
    var task = Load<RawJSON>()
    var presented = 0
  }

  /// The tasks.
  public let tasks: [TaskDefinition]

  /// A screen of tasks. Each has an input and an output.
  public init(_ tasks: [TaskDefinition]) { self.tasks = tasks }

  /// Creates an input for each task.
  public func makeInput() -> Input { Input(tasks) }

  /// Connects the inputs to one state. Each output is a part of this state. While a task is shown, inputs have no
  /// effect.
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
