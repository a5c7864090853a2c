internal import Screens
internal import Nagare
internal import WireJSON

/// The configuration of a screen with tasks.
struct TasksConfiguration: Record, Sendable {
  let viewModel: String
  let tasks: [TaskConfiguration]
  var display: DisplayConfiguration?

  static let fields = Fields(
    TasksConfiguration.init,
    Field("viewModel", \.viewModel),
    Field("tasks", \.tasks, "The tasks."),
    Field("display", \.display, displaySummary))

  func screen(_ name: String) -> Screen {
    Screen(name, viewModel: viewModel) { Tasks(tasks.map(\.definition)) }
  }

  /// Reports names that are used twice.
  func check(in context: inout DecodingContext) {
    context.within("tasks") { context in
      for (index, task) in tasks.enumerated() {
        context.within("[\(index)]") { context in
          let earlier = tasks[..<index]
          task.input.check(
            "input", isNone: Service.methods + earlier.map(\.input.name),
            expected: "a name that neither the session nor another task has", in: &context)
          task.output.check(
            "output", isNone: ["error", "closed"] + earlier.map(\.output.name),
            expected: "a name that no other output has", in: &context)
          if case .choose(let choose) = task.task {
            context.within("task") { $0.within("choices", choose.choices.checkIDs) }
          }
        }
      }
    }
  }
}

/// One task: the input that starts it, and the output with its result.
struct TaskConfiguration: Record, Sendable {
  let input: MemberName
  let output: MemberName
  let task: TaskContent
  let initial: RawJSON
  let completed: CompletedValue

  static let fields = Fields(
    TaskConfiguration.init,
    Field("input", \.input, "The input that starts the task."),
    Field("output", \.output, "The output with the result of the task."),
    Field("task", \.task, "The task for the user."),
    Field("initial", \.initial, default: .null, "The initial value of the output."),
    Field("completed", \.completed, "The value of the output after the task; by default the result of the task."))

  var definition: TaskDefinition {
    TaskDefinition(input.name, to: output.name, initially: initial) { value in
      let task = self.task.userTask(text: value.string)
      return completed.json.map { value in task.map { _ in value } } ?? task
    }
  }
}

/// The content of a task. Its `kind` is a built-in one, which determines the type of the result, or one that the app
/// defines.
enum TaskContent: Sendable {
  case alert(MessageTask)
  case confirm(MessageTask)
  case prompt(PromptTask)
  case choose(ChooseTask)
  case pickImage(PlainTask)
  case login(LoginTask)
  case own(RawJSON)

  /// Returns the task with its result. If the output holds a text, a prompt begins with it.
  func userTask(text: String?) -> UserTask<RawJSON> {
    switch self {
    case .alert(let alert): UserTask.alert(alert.title, message: alert.message).map { .null }
    case .confirm(let confirm): UserTask.confirm(confirm.title, message: confirm.message).map { true.json }
    case .prompt(let prompt):
      UserTask.prompt(prompt.title, message: prompt.message, text: text ?? prompt.text).map(\.json)
    case .choose(let choose):
      UserTask.choose(choose.title, message: choose.message, from: choose.choices).map(\.raw)
    case .pickImage: .pickImage()
    case .login(let login): .login(login.title)
    case .own(let task): UserTask(presenting: task) { $0 ?? .null }
    }
  }
}

extension TaskContent: Tagged {
  static let tag = "kind"

  static let kinds: [Kind<TaskContent>] = [
    Kind("alert", MessageTask.self) { .alert($0) },
    Kind("confirm", MessageTask.self) { .confirm($0) },
    Kind("prompt", PromptTask.self) { .prompt($0) },
    Kind("choose", ChooseTask.self) { .choose($0) },
    Kind("pickImage", PlainTask.self) { .pickImage($0) },
    Kind("login", LoginTask.self) { .login($0) },
  ]

  static func decode(_ json: RawJSON, in context: inout DecodingContext) -> TaskContent? {
    guard let name = json.member(tag)?.wireText, name != "" else {
      context.report(DecodingFailure(expected: "an object with its \"kind\", such as \"confirm\"", in: json))
      return nil
    }
    guard let kind = kinds.first(where: { WireText($0.name) == name }) else { return .own(json) }
    return kind.decode(json, &context)
  }

  var content: any JSONEncodable {
    switch self {
    case .alert(let content), .confirm(let content): content
    case .prompt(let content): content
    case .choose(let content): content
    case .pickImage(let content): content
    case .login(let content): content
    case .own(let content): content
    }
  }
}

/// A message that the user reads or confirms.
struct MessageTask: Record, Sendable {
  let kind: String
  let title: String
  let message: String?

  static let fields = Fields(
    MessageTask.init, Field("kind", \.kind), Field("title", \.title, "The title."),
    Field("message", \.message, "A longer text below the title."))
}

/// A request for a text.
struct PromptTask: Record, Sendable {
  let kind: String
  let title: String
  let message: String?
  let text: String?

  static let fields = Fields(
    PromptTask.init, Field("kind", \.kind), Field("title", \.title, "The question."),
    Field("message", \.message, "A longer text below the title."),
    Field("text", \.text, "The initial text, unless the output has one."))
}

/// A request to choose.
struct ChooseTask: Record, Sendable {
  let kind: String
  let title: String
  let message: String?
  let choices: [ChoiceItem]

  static let fields = Fields(
    ChooseTask.init, Field("kind", \.kind), Field("title", \.title, "The question."),
    Field("message", \.message, "A longer text below the title."),
    Field("choices", \.choices, "The choices: strings, or objects with an id."))
}

/// A task without a text.
struct PlainTask: Record, Sendable {
  let kind: String

  static let fields = Fields(PlainTask.init, Field("kind", \.kind))
}

/// A request to sign in.
struct LoginTask: Record, Sendable {
  let kind: String
  let title: String?

  static let fields = Fields(
    LoginTask.init, Field("kind", \.kind), Field("title", \.title, "The address to sign in at."))
}

/// The output's value after its task was completed. It may be null. If it is absent, the value is the task's result.
struct CompletedValue: JSONValue, Sendable {
  let json: RawJSON?

  init(json: RawJSON) { self.json = json }
  init() { json = nil }

  var isAbsent: Bool { json == nil }
  func write(to writer: inout JSONWriter) { (json ?? .null).write(to: &writer) }
  static var valueWhenAbsent: CompletedValue? { CompletedValue() }
  static var schema: JSONSchema { RawJSON.schema }
}

/// The name of an input or output, with its location. It has the form of a property's name.
struct MemberName: JSONValue, Sendable {
  let name: String
  let json: RawJSON

  init(_ name: String) { (self.name, json) = (name, name.json) }

  init(json: RawJSON) throws(DecodingFailure) {
    guard let name = json.string, let first = name.first, isUnderscore(first) || first.isLetter,
      name.allSatisfy({ isUnderscore($0) || $0.isLetter || $0.isNumber })
    else {
      throw DecodingFailure(expected: "a name of letters, digits and _, that doesn't begin with a digit", in: json)
    }
    (self.name, self.json) = (name, json)
  }

  func write(to writer: inout JSONWriter) { writer.string(name) }

  static var schema: JSONSchema { String.schema }

  /// Reports a name that is already in use.
  func check(_ member: String, isNone taken: [String], expected: String, in context: inout DecodingContext) {
    guard taken.contains(where: { WireText($0) == WireText(name) }) else { return }
    context.report(DecodingFailure(expected: "\(expected), not \"\(name)\"", in: json, path: [member]))
  }
}

/// Compares Unicode scalars, because comparing characters can take long.
private func isUnderscore(_ character: Character) -> Bool { character.unicodeScalars.elementsEqual("_".unicodeScalars) }
