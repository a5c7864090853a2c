public import Nagare

/// A screen of tasks for the user: an input starts each, an output holds what came of it (the view controller as a
/// stream of one value).
public struct Tasks: ViewModel {
  /// What a frontend does with it: an input for each task, and the way to the user.
  public struct Input: Ports, CustomReflectable {
    let taps: [(name: String, tap: Trigger)]
    let present = Presenter()

    /// Ports of no task.
    public init() { self.init([]) }

    init(_ tasks: [TaskDefinition]) { taps = tasks.map { ($0.input, Trigger()) } }

    /// The inputs under their names.
    public var customMirror: Mirror {
      Mirror(self, children: taps.map { ($0.name, $0.tap) } + [("present", present)])
    }

    /// Lists the inputs under their names.
    public func encode(to encoder: any Encoder) throws {
      var properties = encoder.container(keyedBy: PropertyName.self)
      for (name, tap) in taps { try properties.encode(tap, forKey: PropertyName(name)) }
      try properties.encode(present, forKey: PropertyName("present"))
    }
  }

  /// What it says: an output for each task, and what went wrong.
  public struct Output: CustomReflectable {
    let results: [(name: String, value: Observable<RawJSON>)]
    let error: Observable<Failure?>

    /// The outputs under their names.
    public var customMirror: Mirror {
      Mirror(self, children: results.map { ($0.name, $0.value) } + [("error", error)])
    }
  }

  /// What there is to do.
  public let tasks: [TaskDefinition]

  /// A screen of tasks.
  ///
  /// - Parameter tasks: what there is to do, each with an input and an output of its own.
  public init(_ tasks: [TaskDefinition]) { self.tasks = tasks }

  /// An input for each task.
  public func makeInput() -> Input { Input(tasks) }

  /// One folded state, of which every output is a projection. While a task is presented, taps go by.
  public func transform(_ input: Input, on clock: any Scheduler) -> Output {
    let state = Observable.folding(TasksState(tasks), TasksState.apply) { state in
      Observable.merge(input.taps.indices.map { index in input.taps[index].tap.stream.map { index } })
        .withLatestFrom(state) { index, state in (index, state.values[index]) }
        .flatMapFirst { index, value in
          input.present(tasks[index].task(value))
            .map { .completed(index, $0) }
            .catch { .just(.failed(Failure($0, trigger: tasks[index].input))) }
            .startWith(.began)
        }
    }
    .share(replay: 1)

    return Output(
      results: tasks.indices.map { index in
        (tasks[index].output, state.map { $0.values[index] }.distinctUntilChanged { $0.bytes == $1.bytes })
      },
      error: state.map(\.failure).distinctUntilChanged())
  }
}

/// One task of a screen of tasks.
public struct TaskDefinition {
  /// The input that starts it.
  public let input: String
  /// The output that holds its result.
  public let output: String
  /// The output's value before there is a result.
  public let initial: RawJSON
  /// What the user is to do, given the output's value.
  public let task: (RawJSON) -> UserTask<RawJSON>

  /// A task, started by one input, whose result one output holds.
  ///
  /// - Parameters:
  ///   - input: the input's name.
  ///   - output: the output's name.
  ///   - initial: the output's value before there is a result.
  ///   - task: what the user is to do, given the output's value; its result is the output's next one.
  public init(
    _ input: String, to output: String, initially initial: RawJSON = .null,
    _ task: @escaping (RawJSON) -> UserTask<RawJSON>
  ) {
    (self.input, self.output, self.initial, self.task) = (input, output, initial, task)
  }
}

/// All that a screen of tasks knows, and how each event changes it.
struct TasksState {
  /// What happens to it.
  enum Step { case began, completed(Int, RawJSON), failed(Failure) }

  /// The outputs' values, in the order of the tasks.
  private(set) var values: [RawJSON]
  private var failures = Failures()

  /// The failure that still stands.
  var failure: Failure? { failures.standing }

  init(_ tasks: [TaskDefinition]) { values = tasks.map(\.initial) }

  static func apply(_ state: inout TasksState, _ step: Step) {
    switch step {
    case .began: state.failures.end()
    case .completed(let index, let value): state.values[index] = value
    case .failed(let failure): state.failures.add(failure)
    }
  }
}
