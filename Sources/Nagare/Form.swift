public import Flow
public import RPC

/// The inputs that submit a ``Form``: a part of a view model's inputs. The view model declares further inputs to fill
/// the form in.
public struct FormInput: Ports {
  /// Submits the draft. It is refused while the form has a problem.
  public let submit = Trigger()
  /// Submits the current draft after a failure.
  public let retry = Trigger()

  /// Creates the ports of a view.
  public init() {}
}

/// The outputs of a ``Form``: a part of a view model's outputs.
public struct FormOutput<Draft: Encodable>: Outputs {
  /// The current draft.
  public let draft: Driver<Draft>
  /// The reason why the draft can't be submitted; nil if there is none.
  public let problem: Driver<ParameterErrorData?>
  /// Whether the draft can be submitted now.
  public let canSubmit: Driver<Bool>
  /// Whether a submission is running.
  public let saving: Driver<Bool>
  /// The failure of the last submission; nil if it didn't fail.
  public let error: Driver<Failure?>
}

extension Feedback {
  /// Connects a form to its inputs and outputs.
  ///
  /// `perform` returns the stream that submits a draft. The first value of the stream is the response.
  public func form<Draft: Encodable & Equatable, Response>(
    _ path: WritableKeyPath<State, Form<Draft, Response>>, _ input: FormInput,
    _ perform: @escaping (Draft) -> Observable<Response>
  ) -> FormOutput<Draft> {
    react(to: path, perform)
    return serve(path, input)
  }

  /// Connects a form to its inputs and outputs. `perform` submits a draft with asynchronous code.
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
