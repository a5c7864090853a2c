/// What somebody fills in and submits: the draft, what keeps it from being submitted, and what has come of that.
///
/// It is a value, part of a state. Steps change the draft and submit it; what is done with it is declared once.
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
  /// What is filled in by now.
  public var draft: Draft
  @usableFromInline var saving = Load<Response>()
  @usableFromInline let check: (Draft) -> Refusal?

  /// A form that wasn't submitted, with what is filled in at first. `check` gives what keeps a draft from being
  /// submitted.
  @inlinable
  public init(_ draft: Draft, check: @escaping (Draft) -> Refusal? = { _ in nil }) {
    self.draft = draft
    self.check = check
  }

  /// What keeps the draft from being submitted.
  @inlinable public var problem: Refusal? { check(draft) }
  /// Whether the draft may be submitted now.
  @inlinable public var canSubmit: Bool { !isSaving && problem == nil }
  /// Whether an answer is awaited.
  @inlinable public var isSaving: Bool { saving.isRunning }

  /// Submits the draft, unless an answer is awaited; throws what keeps it from being submitted.
  @inlinable
  public mutating func submit() throws(Refusal) {
    if isSaving { return }
    if let problem { throw problem }
    saving.start()
  }
}

extension Form: Effect {
  /// Another one after each submission and its end.
  @inlinable public var revision: Int { saving.revision }
  /// The submission that is under way.
  @inlinable public var wanted: WantedNumbers { saving.wanted }
  /// Why the last submission has failed; nil again when another begins.
  @inlinable public var failure: Failure? { saving.failure }

  /// The draft.
  @inlinable
  public func request(_ number: Int) -> Draft? { saving.request(number).map { draft } }

  /// Takes the answer.
  @inlinable
  public mutating func receive(_ response: Response, of number: Int) { saving.receive(response, of: number) }

  /// Takes note of the end.
  @inlinable
  public mutating func end(_ number: Int, failure: Failure?) { saving.end(number, failure: failure) }
}
