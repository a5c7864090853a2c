public import Nagare

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
