public import Flow
public import RPC

/// What a frontend does with a ``Form``, besides filling it in: a part of a view model's inputs.
public struct FormInput: Ports {
  /// Submits the draft; refused while there is a problem.
  public let submit = Trigger()
  /// Submits it once more after a failure.
  public let retry = Trigger()

  /// Ports of their own for a view.
  public init() {}
}

/// What a frontend shows of a ``Form``: a part of a view model's outputs.
public struct FormOutput<Draft: Encodable>: Outputs {
  /// What is filled in by now.
  public let draft: Driver<Draft>
  /// What keeps it from being submitted.
  public let problem: Driver<ParameterErrorData?>
  /// Whether it may be submitted now.
  public let canSubmit: Driver<Bool>
  /// Whether an answer is awaited.
  public let saving: Driver<Bool>
  /// Why the last submission has failed.
  public let error: Driver<Failure?>
}

extension Feedback {
  /// Serves a form: its inputs submit it, and its outputs are parts of it.
  /// The stream that `perform` makes submits a draft; its first value counts.
  public func form<Draft: Encodable & Equatable, Response>(
    _ path: WritableKeyPath<State, Form<Draft, Response>>, _ input: FormInput,
    _ perform: @escaping (Draft) -> Observable<Response>
  ) -> FormOutput<Draft> {
    react(to: path, perform)
    return serve(path, input)
  }

  /// Serves a form whose draft asynchronous code submits, as for one that a stream submits.
  public func form<Draft: Encodable & Equatable & Sendable, Response: Sendable>(
    _ path: WritableKeyPath<State, Form<Draft, Response>>, _ input: FormInput,
    _ perform: @escaping @Sendable (Draft) async throws -> Response
  ) -> FormOutput<Draft> {
    react(to: path, perform)
    return serve(path, input)
  }

  private func serve<Draft: Encodable & Equatable, Response>(
    _ path: WritableKeyPath<State, Form<Draft, Response>>, _ input: FormInput
  ) -> FormOutput<Draft> {
    on(input.submit) { state throws(Refusal) in try state[keyPath: path].submit() }
    on(input.retry) { state throws(Refusal) in
      if state[keyPath: path].failure != nil { try state[keyPath: path].submit() }
    }
    let form: Projection = self[dynamicMember: path]
    return FormOutput(
      draft: form.draft,
      problem: form.map { $0.problem.map { ParameterErrorData(param: $0.parameter, expected: $0.expected) } },
      canSubmit: form.canSubmit, saving: form.isSaving, error: form.failure)
  }
}
