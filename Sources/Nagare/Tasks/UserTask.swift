public import WireJSON

/// Something that a user is asked to do, with a result: confirm, type a name, pick an image.
///
/// The result's type belongs to the task, not to what shows it: one alert can confirm and another one prompt. A view
/// model presents it by its ``Presenter`` and gets the result as a stream of one value, or of none if the user cancels.
///
/// ```swift
/// input.logout.stream
///   .flatMapFirst { input.present(.confirm("Log out?")).catch { _ in .empty() } }  // or told as a value
///   .map { false }                                                                 // signed in?
/// ```
/// An app's own kinds are values like the built-in ones:
///
/// ```swift
/// extension UserTask<String> {
///   static var scanCode: UserTask { UserTask("scanCode") }
/// }
/// ```
public struct UserTask<Value> {
  /// What the client shows, by a name that it knows.
  public let kind: String
  /// What `present` carries: an object with the kind and whatever it needs to know.
  public let json: RawJSON
  let read: (RawJSON?) throws(DecodingFailure) -> Value?
  /// Why it can't be presented.
  let failure: EncodingFailure?

  /// A task.
  ///
  /// - Parameters:
  ///   - kind: what the client shows, by a name that it knows.
  ///   - details: what the client needs to know besides, each under its name; those that are nil are left out.
  ///   - read: makes the result of the `value` that the client gives when the task is completed, which may be absent; nil
  ///     counts as cancelled.
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

  /// A task that stands somewhere as JSON, such as in a configuration.
  ///
  /// - Parameters:
  ///   - object: what `present` carries: an object with its `kind`, which passes as it is.
  ///   - read: makes the result of the `value` that the client gives when the task is completed, which may be absent; nil
  ///     counts as cancelled.
  public init(
    presenting object: RawJSON, reading read: @escaping (RawJSON?) throws(DecodingFailure) -> Value?
  ) {
    self.init(kind: object.member("kind")?.string ?? "", json: object, failure: nil, read: read)
  }

  /// The same task with another result.
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
  /// A task whose result is the `value` that the client gives. What the client needs to know besides stands under its
  /// name; what is nil is left out.
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
  /// Tells the user something; done when it has been read.
  public static func alert(_ title: String, message: String? = nil) -> UserTask {
    UserTask("alert", ["title": title, "message": message]) { _ throws(DecodingFailure) in () }
  }

  /// Asks whether to go on. The result is that the user has agreed; a refusal is no result.
  public static func confirm(_ title: String, message: String? = nil) -> UserTask {
    UserTask("confirm", ["title": title, "message": message]) { json throws(DecodingFailure) in
      // A client may say that the user has agreed in the outcome alone, or in the value.
      guard let json, !json.isNull else { return () }
      return try Bool(json: json) ? () : nil
    }
  }
}

extension UserTask<String> {
  /// Asks for a line of text, of which `text` stands there at first.
  public static func prompt(_ title: String, message: String? = nil, text: String? = nil) -> UserTask {
    UserTask("prompt", ["title": title, "message": message, "text": text])
  }
}

extension UserTask<ItemID> {
  /// Asks for one of several choices. The result is its id, which is one of them.
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
  /// Asks for a picture. The result is whatever the client calls it by: a string such as a path, a URL or a `data:` URL,
  /// or an object.
  public static func pickImage() -> UserTask { UserTask("pickImage", reading: textOrObject) }

  /// Picking an image has no title.
  @available(*, unavailable, message: "picking an image has no title: .pickImage()")
  public static func pickImage(_ title: String) -> UserTask { pickImage() }

  /// Asks the user to sign in. The result is what proves it: a string such as a token, or an object.
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
