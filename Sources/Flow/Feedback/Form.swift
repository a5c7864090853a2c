/// A form that a user fills in and submits: the draft, the problem that prevents submission, and the result.
///
/// It is a value, part of a state. Steps change the draft and submit it. A single rule declares how the draft is
/// submitted.
///
/// ```swift
/// struct State {
///   var note = Form<String, Note>("") { $0.isEmpty ? Refusal("text", mustBe: "something") : nil }
/// }
/// // …
/// state.on(input.text) { $0.note.draft = $1 }
/// state.on(input.submit) { try $0.note.submit() }
/// state.react(to: \.note) { text in api.add(text) }
/// ```
public struct Form<Draft, Response> {
  /// The current content.
  public var draft: Draft
  @usableFromInline var saving = Load<Response>()
  @usableFromInline let check: (Draft) -> Refusal?

  /// Makes a form with initial content, which isn't submitted. `check` returns the problem that prevents submission;
  /// nil if there is none.
  @inlinable
  public init(_ draft: Draft, check: @escaping (Draft) -> Refusal? = { _ in nil }) {
    self.draft = draft
    self.check = check
  }

  /// The problem that prevents submission; nil if there is none.
  @inlinable public var problem: Refusal? { check(draft) }
  /// Whether the draft can be submitted now.
  @inlinable public var canSubmit: Bool { !isSaving && problem == nil }
  /// Whether a submission is in progress.
  @inlinable public var isSaving: Bool { saving.isRunning }

  /// Submits the draft. Does nothing while a submission is in progress. Throws the problem that prevents submission.
  @inlinable
  public mutating func submit() throws(Refusal) {
    if isSaving { return }
    if let problem { throw problem }
    saving.start()
  }
}

extension Form: Effect {
  /// Changes with each submission and with its end.
  @inlinable public var revision: Int { saving.revision }
  /// The submission in progress.
  @inlinable public var wanted: WantedNumbers { saving.wanted }
  /// Why the last submission failed; nil again when another one begins.
  @inlinable public var failure: Failure? { saving.failure }

  /// The draft.
  @inlinable
  public func request(_ number: Int) -> Draft? { saving.request(number).map { draft } }

  /// Records the response.
  @inlinable
  public mutating func receive(_ response: Response, of number: Int) { saving.receive(response, of: number) }

  /// Records the end of a submission without a response.
  @inlinable
  public mutating func end(_ number: Int, failure: Failure?) { saving.end(number, failure: failure) }
}
