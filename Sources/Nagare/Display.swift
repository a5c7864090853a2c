public import WireJSON

/// How a frontend that knows nothing of an app shows a screen: which members of its items are what, and what a person can
/// do with them. By default, frontends guess.
///
/// ```swift
/// static var display: Display? {
///   Display(
///     title: "subject", subtitle: "from.name", date: "date", unread: "unread",
///     columns: ["subject", .init("amount", name: "Amount", format: .money, currency: "JPY")],
///     actions: [
///       .init("remove", name: "Archive", icon: "🗄", key: "e", undo: true),
///       .init("change", set: ["unread": false.json], name: "Mark as read", key: "i", for: .many),
///     ])
/// }
/// ```
/// A member is named by its path: `from.name` is the member `name` of the object `from`.
public struct Display: Record, Sendable {
  /// What an item is called.
  public var title: String?
  /// What stands below the title.
  public var subtitle: String?
  /// What there is to read.
  public var body: Body?
  /// A word or number that stands out.
  public var badge: String?
  /// The address of a picture.
  public var image: String?
  /// When the item is from.
  public var date: String?
  /// Whether nobody has read it yet: a member that is true or false.
  public var unread: String?
  /// What isn't shown.
  public var hidden: [String]?
  /// What a table of the items has.
  public var columns: [Column]?
  /// What a person can do with an item.
  public var actions: [Action]?

  /// Says how a screen is shown; whatever is left out is guessed.
  public init(
    title: String? = nil, subtitle: String? = nil, body: Body? = nil, badge: String? = nil, image: String? = nil,
    date: String? = nil, unread: String? = nil, hidden: [String]? = nil, columns: [Column]? = nil,
    actions: [Action]? = nil
  ) {
    (self.title, self.subtitle, self.body, self.badge, self.image) = (title, subtitle, body, badge, image)
    (self.date, self.unread, self.hidden, self.columns, self.actions) = (date, unread, hidden, columns, actions)
  }

  /// Its members on the wire.
  public static let fields = Fields(
    Display.init,
    Field("title", \.title, "The field with the title of an item."),
    Field("subtitle", \.subtitle, "The field that is shown below the title."),
    Field("body", \.body, "The field with the text to read."),
    Field("badge", \.badge, "The field that is shown as a badge: a word or a number."),
    Field("image", \.image, "The field with the address of a picture."),
    Field("date", \.date, "The field with the time of the item."),
    Field("unread", \.unread, "The field that is true until the user has read the item."),
    Field("hidden", \.hidden, "The fields that aren't shown."),
    Field("columns", \.columns, "The columns of a table of the items."),
    Field("actions", \.actions, "What the user can do with an item."))

  /// Reads how a screen is shown, and reports a key that an earlier action has.
  public static func decode(_ json: RawJSON, in context: inout DecodingContext) -> Display? {
    guard let display = fields.decode(json, in: &context) else { return nil }
    var keys: Set<WireText> = []
    forEachAction(of: json, in: &context) { action, context in
      guard let json = action.member("key"), let key = json.string, !keys.insert(WireText(key)).inserted else { return }
      let expected = "a key that no other action has, not \"\(key)\""
      context.report(DecodingFailure(expected: expected, in: json, path: ["key"]))
    }
    return display
  }

  /// Reports what actions ask of a screen that it doesn't have: inputs, and parameters of these.
  package static func check(_ json: RawJSON, on screen: Screen, in context: inout DecodingContext) {
    forEachAction(of: json, in: &context) { action, context in
      guard let json = action.member("input"), let name = json.string else { return }
      let inputs = screen.prototype.inputs
      guard let input = inputs.first(where: { WireText($0.name) == WireText(name) }) else {
        let expected = "an input of the screen, \(alternatives(inputs.map { "\"\($0.name)\"" })), not \"\(name)\""
        return context.report(DecodingFailure(expected: expected, in: json, path: ["input"]))
      }
      let canUndo = inputs.contains { $0.name == "undo" } && screen.prototype.outputs.contains { $0.name == "undoable" }
      if let undo = action.member("undo"), undo.bool == true, name != "change", !canUndo {
        let expected =
          "left out, as the screen has no input \"undo\" with a state \"undoable\"; a PagedList has them with "
          + "removing(_:undoableFor:)"
        context.report(DecodingFailure(expected: expected, in: undo, path: ["undo"]))
      }
      let parameters = input.port.parameters
      if parameters.additionalProperties != nil { return }
      let known = parameters.properties.map(\.name)
      for (name, value) in action.member("params")?.members.map({ ($0, $1) }) ?? []
      where !known.contains(where: { WireText($0) == name }) {
        let expected = alternatives(known.map { "'\($0)'" })
        context.report(DecodingFailure(.unknownMember, expected: expected, in: value, path: ["params", name.string]))
      }
    }
  }

  /// Whether an action can be undone.
  package var offersUndo: Bool { actions?.contains { $0.undo == true } == true }

  private static func forEachAction(
    of json: RawJSON, in context: inout DecodingContext, _ body: (RawJSON, inout DecodingContext) -> Void
  ) {
    guard let actions = json.member("actions") else { return }
    context.within("actions") { context in
      for (index, action) in actions.elements.enumerated() { context.within("[\(index)]") { body(action, &$0) } }
    }
  }
}

extension Display {
  /// The member that there is to read, and how it is written.
  public struct Body: Record, Equatable, Sendable, ExpressibleByStringLiteral {
    /// How a text is written.
    public enum Format: String, JSONStringEnum, Sendable { case text, markdown, html }

    /// The member's path.
    public var member: String
    /// How it is written; by default as plain text.
    public var format: Format?

    /// Names a member.
    public init(_ member: String, format: Format? = nil) { (self.member, self.format) = (member, format) }

    /// Names a member that is a plain text.
    public init(stringLiteral member: String) { self.init(member) }

    /// Its members on the wire.
    public static let fields = Fields(
      Body.init(_:format:),
      Field("member", \.member, "The member."),
      Field("format", \.format, "The format of the values; plain text by default."))

    /// Reads a path alone, or an object.
    public static func decode(_ json: RawJSON, in context: inout DecodingContext) -> Body? {
      if let path = json.string { Body(path) } else { fields.decode(json, in: &context) }
    }

    /// Writes the path alone where nothing else is said.
    public func write(to writer: inout JSONWriter) {
      if self == Body(member) { writer.string(member) } else { Body.fields.encode(self, to: &writer) }
    }

    /// A string or an object.
    public static var schema: JSONSchema { .string(or: fields) }
  }

  /// A column of a table.
  public struct Column: Record, Equatable, Sendable, ExpressibleByStringLiteral {
    /// What a value is shown as.
    public enum Format: String, JSONStringEnum, Sendable {
      case text, number, boolean, date, time, datetime
      /// An amount in a currency.
      case money
      /// A number of bytes.
      case bytes
      /// A number of seconds.
      case duration
      /// The address of a picture.
      case image
      /// An address.
      case link
    }

    /// Where a value stands in its column.
    public enum Alignment: String, JSONStringEnum, Sendable { case start, center, end }

    /// The member's path.
    public var member: String
    /// What stands above the column.
    public var name: String?
    /// What a value is shown as; by default a guess.
    public var format: Format?
    /// What amounts of money are in, by ISO 4217.
    public var currency: String?
    /// Where a value stands; by default numbers, money, bytes and durations at the end.
    public var align: Alignment?

    /// Describes a column. Money needs its currency.
    public init(
      _ member: String, name: String? = nil, format: Format? = nil, currency: String? = nil, align: Alignment? = nil
    ) {
      (self.member, self.name, self.format, self.currency, self.align) = (member, name, format, currency, align)
    }

    /// A column of which everything but the member is guessed.
    public init(stringLiteral member: String) { self.init(member) }

    /// Its members on the wire.
    public static let fields = Fields(
      Column.init(_:name:format:currency:align:),
      Field("member", \.member, "The member."),
      Field("name", \.name, "The heading of the column."),
      Field("format", \.format, "The format of a value."),
      Field("currency", \.currency, "The currency of amounts of money: three letters, as in ISO 4217."),
      Field("align", \.align, "The alignment of a value in its column."))

    /// Reads a path alone, or an object, and reports money that isn't in a currency.
    public static func decode(_ json: RawJSON, in context: inout DecodingContext) -> Column? {
      if let path = json.string { return Column(path) }
      guard let column = fields.decode(json, in: &context) else { return nil }
      let letters = UInt8(ascii: "A")...UInt8(ascii: "Z")
      let isCurrency = column.currency.map { $0.utf8.count == 3 && $0.utf8.allSatisfy(letters.contains) }
      switch (column.format == .money, isCurrency) {
      case (true, true?), (false, nil): break
      case (true, _):
        let kind: DecodingFailure.Kind = isCurrency == nil ? .missing : .mismatch
        let expected = "the three letters of a currency, such as \"JPY\""
        context.report(
          DecodingFailure(kind, expected: expected, in: json.member("currency") ?? json, path: ["currency"]))
      case (false, _?):
        let expected = "left out, as only \"format\": \"money\" has one"
        context.report(DecodingFailure(expected: expected, in: json.member("currency") ?? json, path: ["currency"]))
      }
      return column
    }

    /// Writes the path alone where nothing else is said.
    public func write(to writer: inout JSONWriter) {
      if self == Column(member) { writer.string(member) } else { Column.fields.encode(self, to: &writer) }
    }

    /// A string or an object.
    public static var schema: JSONSchema { .string(or: fields) }
  }

  /// Something that a person can do with an item.
  public struct Action: Record, Sendable {
    /// What an action is for.
    public enum Target: String, JSONStringEnum, Sendable {
      /// One item.
      case item
      /// One item, or all that are marked.
      case many
    }

    /// The screen's input that does it.
    public var input: String
    /// The item's members that `change` is to give other values.
    public var set: [String: RawJSON]?
    /// The input's parameters; a string that is nothing but `{path}` stands for that member of the item. Each other
    /// parameter is the item's member of its name, or is asked for.
    public var params: [String: RawJSON]?
    /// What a person reads.
    public var name: String?
    /// A short text that stands for the name, such as an emoji.
    public var icon: String?
    /// The character that does it when it is typed.
    public var key: String?
    /// A question that is asked first.
    public var confirm: String?
    /// Whether it can be undone. A removal needs a screen with the input `undo` and the state `undoable`.
    public var undo: Bool?
    /// What it is for; by default one item.
    public var target: Target?

    /// Describes an action.
    public init(
      _ input: String, set: [String: RawJSON]? = nil, params: [String: RawJSON]? = nil, name: String? = nil,
      icon: String? = nil, key: String? = nil, confirm: String? = nil, undo: Bool? = nil, for target: Target? = nil
    ) {
      (self.input, self.set, self.params, self.name, self.icon) = (input, set, params, name, icon)
      (self.key, self.confirm, self.undo, self.target) = (key, confirm, undo, target)
    }

    /// Its members on the wire.
    public static let fields = Fields(
      Action.init(_:set:params:name:icon:key:confirm:undo:for:),
      Field("input", \.input, "The screen's input that the action calls."),
      Field("set", \.set, "The fields of the item that \"change\" sets, and their values."),
      Field("params", \.params, "The input's parameters. \"{path}\" is replaced by that field of the item."),
      Field("name", \.name, "The name that the user sees."),
      Field("icon", \.icon, "A short text in place of the name, such as an emoji."),
      Field("key", \.key, "The key that triggers the action: one character."),
      Field("confirm", \.confirm, "A question that the user must confirm first."),
      Field("undo", \.undo, "Whether the action can be undone, for 5 s by default."),
      Field("for", \.target, "Whether the action is for one item only, or for all marked items as well."))

    /// Reads an action, and reports a key that is no character and `set` of other inputs than `change`.
    public static func decode(_ json: RawJSON, in context: inout DecodingContext) -> Action? {
      guard let action = fields.decode(json, in: &context) else { return nil }
      if let key = action.key, key.count != 1 {
        let expected = "one character, not \"\(key)\""
        context.report(DecodingFailure(expected: expected, in: json.member("key") ?? json, path: ["key"]))
      }
      if action.set != nil, action.input != "change" {
        let expected = "left out: only \"change\" sets members; other inputs have \"params\""
        context.report(DecodingFailure(expected: expected, in: json.member("set") ?? json, path: ["set"]))
      }
      return action
    }
  }
}

extension JSONSchema {
  /// A string, or an object with these fields.
  fileprivate static func string<Root>(or fields: Fields<Root>) -> JSONSchema {
    var schema = JSONSchema()
    schema.anyOf = [JSONSchema(type: .string), JSONSchema(properties: fields.properties)]
    return schema
  }
}
