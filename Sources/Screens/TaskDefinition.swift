public import Nagare

/// One task of a screen of tasks.
public struct TaskDefinition {
  /// The name of the input that starts the task.
  public let input: String
  /// The name of the output with the task's result.
  public let output: String
  /// The output's value before there is a result.
  public let initial: RawJSON
  /// Returns the task to show, given the output's value.
  public let task: (RawJSON) -> UserTask<RawJSON>

  /// A task that one input starts and whose result one output sends.
  ///
  /// - Parameters:
  ///   - input: the name of the input.
  ///   - output: the name of the output.
  ///   - initial: the output's value before there is a result.
  ///   - task: returns the task to show, given the output's value. Its result is the output's next value.
  public init(
    _ input: String, to output: String, initially initial: RawJSON = .null,
    _ task: @escaping (RawJSON) -> UserTask<RawJSON>
  ) {
    (self.input, self.output, self.initial, self.task) = (input, output, initial, task)
  }
}
