public import WireJSON

/// A task for the user, with a result: confirm, enter a name, pick an image.
///
/// The type of the result belongs to the task, so one presenter can show tasks with different results. A view model
/// presents a task by its ``Presenter``. It receives the result as a stream of one value, or of none if the user
/// cancels.
///
/// ```swift
/// input.logout.stream
///   .flatMapFirst { input.present(.confirm("Log out?")).catch { _ in .empty() } }  // or send the error as a value
///   .map { false }                                                                 // signed in?
/// ```
/// An app can define further kinds:
///
/// ```swift
/// extension UserTask<String> {
///   static var scanCode: UserTask { UserTask("scanCode") }
/// }
/// ```
public struct UserTask<Value> {
  /// The kind of task, by which the client decides what to show.
  public let kind: String
  /// The task as JSON in the request `present`: an object with the kind and the details.
  public let json: RawJSON
  let read: (RawJSON?) throws(DecodingFailure) -> Value?
  /// The error if a detail can't be encoded; nil if the task can be presented.
  let failure: EncodingFailure?

  /// Creates a task with custom decoding of its result.
  ///
  /// - Parameters:
  ///   - kind: the kind of task, by which the client decides what to show.
  ///   - details: further fields for the client, by their names. Fields that are nil are left out.
  ///   - read: decodes the result from the `value` that the client sends on completion. That value may be absent. If
  ///     `read` returns nil, the task counts as cancelled.
  public init(
    _ kind: String, _ details: KeyValuePairs<String, (any Encodable)?> = [:],
    reading read: @escaping (RawJSON?) throws(DecodingFailure) -> Value?
  ) {
    var writer = JSONWriter()
    var failure: EncodingFailure?
    writer.beginObject()
    writer.member("kind", kind)
    for (name, value) in details {
      guard let value, (value as? any JSONEncodable)?.isAbsent != true else { continue }
      writer.key(name)
      do throws(EncodingFailure) {
        try writer.encode(value)
      } catch {
        failure = error
        writer.null()
      }
    }
    writer.endObject()
    self.init(kind: kind, json: RawJSON(trusting: writer.bytes), failure: failure, read: read)
  }

  /// Creates a task from JSON, for example from a configuration.
  ///
  /// - Parameters:
  ///   - object: the task in the request `present`: an object with its `kind`, which is sent unchanged.
  ///   - read: decodes the result from the `value` that the client sends on completion. That value may be absent. If
  ///     `read` returns nil, the task counts as cancelled.
  public init(
    presenting object: RawJSON, reading read: @escaping (RawJSON?) throws(DecodingFailure) -> Value?
  ) {
    self.init(kind: object.member("kind")?.string ?? "", json: object, failure: nil, read: read)
  }

  /// Returns the same task with a transformed result.
  public func map<Other>(_ transform: @escaping (Value) -> Other) -> UserTask<Other> {
    UserTask<Other>(kind: kind, json: json, failure: failure) { [read] value throws(DecodingFailure) in
      try read(value).map(transform)
    }
  }

  private init(
    kind: String, json: RawJSON, failure: EncodingFailure?,
    read: @escaping (RawJSON?) throws(DecodingFailure) -> Value?
  ) {
    (self.kind, self.json, self.failure, self.read) = (kind, json, failure, read)
  }
}

extension UserTask where Value: Decodable {
  /// Creates a task whose result is the `value` that the client sends. The details are further fields for the client,
  /// by their names. Those that are nil are left out.
  public init(_ kind: String, _ details: KeyValuePairs<String, (any Encodable)?> = [:]) {
    self.init(kind, details) { json throws(DecodingFailure) in
      guard let json else {
        throw DecodingFailure(.missing, expected: JSONSchema(of: Value.self).expectation, in: .emptyObject)
      }
      return try json.decode()
    }
  }
}

extension UserTask<Void> {
  /// Shows a message. The task is complete when the user has read it.
  public static func alert(_ title: String, message: String? = nil) -> UserTask {
    UserTask("alert", ["title": title, "message": message]) { _ throws(DecodingFailure) in () }
  }

  /// Asks whether to continue. There is a result only if the user agrees.
  public static func confirm(_ title: String, message: String? = nil) -> UserTask {
    UserTask("confirm", ["title": title, "message": message]) { json throws(DecodingFailure) in
      // A client may report agreement by the outcome alone, or by the value true.
      guard let json, !json.isNull else { return () }
      return try Bool(json: json) ? () : nil
    }
  }
}

extension UserTask<String> {
  /// Asks for a line of text, which is `text` at first.
  public static func prompt(_ title: String, message: String? = nil, text: String? = nil) -> UserTask {
    UserTask("prompt", ["title": title, "message": message, "text": text])
  }
}

extension UserTask<ItemID> {
  /// Asks for one of several choices. The result is the id of that choice.
  public static func choose(_ title: String, message: String? = nil, from choices: [ChoiceItem]) -> UserTask {
    UserTask("choose", ["title": title, "message": message, "choices": choices]) { json throws(DecodingFailure) in
      let id = json.flatMap { ItemID($0) }
      guard let id, choices.contains(where: { $0.id == id }) else {
        let known = alternatives(choices.map(\.id.json.text))
        throw DecodingFailure(expected: known, in: json ?? .emptyObject)
      }
      return id
    }
  }
}

extension UserTask<RawJSON> {
  /// Asks for a picture. The result is the client's reference to it: an object, or a string such as a path, a URL or a
  /// `data:` URL.
  public static func pickImage() -> UserTask { UserTask("pickImage", reading: textOrObject) }

  /// Unavailable, because picking an image has no title.
  @available(*, unavailable, message: "a task that picks an image has no title: .pickImage()")
  public static func pickImage(_ title: String) -> UserTask { pickImage() }

  /// Asks the user to sign in. The result is the proof: an object, or a string such as a token.
  public static func login(_ title: String? = nil) -> UserTask {
    UserTask("login", ["title": title], reading: textOrObject)
  }

  private static func textOrObject(_ json: RawJSON?) throws(DecodingFailure) -> RawJSON? {
    guard let json, json.kind == .string || json.kind == .object else {
      throw DecodingFailure(expected: "a string or an object", in: json ?? .emptyObject)
    }
    return json
  }
}
