public import WireJSON

/// Describes how a general frontend shows a screen: the role of each field of its items, and the actions of the user.
/// By default, frontends guess.
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
/// Fields are named by their paths: `from.name` is the field `name` of the object `from`.
public struct Display: Record, Sendable {
  /// The field with the item's title.
  public var title: String?
  /// The field that is shown below the title.
  public var subtitle: String?
  /// The field with the item's text.
  public var body: Body?
  /// The field with a word or number that is highlighted.
  public var badge: String?
  /// The field with the address of a picture.
  public var image: String?
  /// The field with the item's date.
  public var date: String?
  /// The Boolean field that is true while the item is unread.
  public var unread: String?
  /// The fields that aren't shown.
  public var hidden: [String]?
  /// The columns of a table of the items.
  public var columns: [Column]?
  /// The actions of the user on an item.
  public var actions: [Action]?

  /// Creates a description. Frontends guess whatever is nil.
  public init(
    title: String? = nil, subtitle: String? = nil, body: Body? = nil, badge: String? = nil, image: String? = nil,
    date: String? = nil, unread: String? = nil, hidden: [String]? = nil, columns: [Column]? = nil,
    actions: [Action]? = nil
  ) {
    (self.title, self.subtitle, self.body, self.badge, self.image) = (title, subtitle, body, badge, image)
    (self.date, self.unread, self.hidden, self.columns, self.actions) = (date, unread, hidden, columns, actions)
  }

  /// The fields in JSON.
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

  /// Reads a display from JSON, and reports an action whose key an earlier action has.
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

  /// Reports each action that needs something that the screen doesn't have: an input, a parameter of it, or undo.
  package static func check(_ json: RawJSON, on screen: Screen, in context: inout DecodingContext) {
    forEachAction(of: json, in: &context) { action, context in
      guard let json = action.member("input"), let name = json.string else { return }
      let inputs = screen.prototype.inputs
      guard let input = inputs.first(where: { WireText($0.name) == WireText(name) }) else {
        let known = alternatives(inputs.map { "\"\($0.name)\"" })
        let near = suggestion(for: name, in: inputs.map(\.name), quote: "'")
        let expected = "an input of the screen, \(known), not \"\(name)\"\(near)"
        return context.report(DecodingFailure(expected: expected, in: json, path: ["input"]))
      }
      let canUndo = inputs.contains { $0.name == "undo" } && screen.prototype.outputs.contains { $0.name == "undoable" }
      if let undo = action.member("undo"), undo.bool == true, name != "change", !canUndo {
        let expected =
          "left out, because the screen has no input \"undo\" with a state \"undoable\"; for a PagedList, use "
          + "removing(_:undoableFor:)"
        context.report(DecodingFailure(expected: expected, in: undo, path: ["undo"]))
      }
      let parameters = input.port.parameters
      if parameters.additionalProperties != nil { return }
      let known = parameters.properties.map(\.name)
      for (name, value) in action.member("params")?.members.map({ ($0, $1) }) ?? []
      where !known.contains(where: { WireText($0) == name }) {
        context.report(.unknownMember(name.string, in: value, known: known, within: ["params"]))
      }
    }
  }

  /// Whether any action can be undone.
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
  /// The field with the item's text, and the text's format.
  public struct Body: Record, Equatable, Sendable, ExpressibleByStringLiteral {
    /// The format of a text.
    public enum Format: String, JSONStringEnum, Sendable { case text, markdown, html }

    /// The path of the field.
    public var member: String
    /// The format of the text; nil means plain text.
    public var format: Format?

    /// Names the field, and its format.
    public init(_ member: String, format: Format? = nil) { (self.member, self.format) = (member, format) }

    /// Names a field with plain text.
    public init(stringLiteral member: String) { self.init(member) }

    /// The fields in JSON.
    public static let fields = Fields(
      Body.init(_:format:),
      Field("member", \.member, "The member."),
      Field("format", \.format, "The format of the values; plain text by default."))

    /// Reads a string, which is the path, or an object.
    public static func decode(_ json: RawJSON, in context: inout DecodingContext) -> Body? {
      if let path = json.string { Body(path) } else { fields.decode(json, in: &context) }
    }

    /// Writes a string if the format is nil, else an object.
    public func write(to writer: inout JSONWriter) {
      if self == Body(member) { writer.string(member) } else { Body.fields.encode(self, to: &writer) }
    }

    /// A string or an object.
    public static var schema: JSONSchema { .string(or: fields) }
  }

  /// A column of a table.
  public struct Column: Record, Equatable, Sendable, ExpressibleByStringLiteral {
    /// How the values of a column are shown.
    public enum Format: String, JSONStringEnum, Sendable {
      case text, number, boolean, date, time, datetime
      /// An amount of money, in the column's currency.
      case money
      /// A number of bytes.
      case bytes
      /// A number of seconds.
      case duration
      /// The address of a picture.
      case image
      /// The address of a web page.
      case link
    }

    /// Where a value is aligned in its column.
    public enum Alignment: String, JSONStringEnum, Sendable { case start, center, end }

    /// The path of the field.
    public var member: String
    /// The heading of the column.
    public var name: String?
    /// How values are shown; nil means that frontends guess.
    public var format: Format?
    /// The currency of amounts of money: three letters, by ISO 4217. Required for the format `money`, and not allowed
    /// for others.
    public var currency: String?
    /// The alignment of values. By default, numbers, money, bytes and durations are aligned at the end.
    public var align: Alignment?

    /// Describes a column. The format `money` needs a currency.
    public init(
      _ member: String, name: String? = nil, format: Format? = nil, currency: String? = nil, align: Alignment? = nil
    ) {
      (self.member, self.name, self.format, self.currency, self.align) = (member, name, format, currency, align)
    }

    /// A column for a field. Frontends guess the rest.
    public init(stringLiteral member: String) { self.init(member) }

    /// The fields in JSON.
    public static let fields = Fields(
      Column.init(_:name:format:currency:align:),
      Field("member", \.member, "The member."),
      Field("name", \.name, "The heading of the column."),
      Field("format", \.format, "The format of a value."),
      Field("currency", \.currency, "The currency of amounts of money: three letters, as in ISO 4217."),
      Field("align", \.align, "The alignment of a value in its column."))

    /// Reads a string, which is the path, or an object. Reports `money` without a currency, and a currency without
    /// `money`.
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
        let expected = "left out, because only \"format\": \"money\" has a currency"
        context.report(DecodingFailure(expected: expected, in: json.member("currency") ?? json, path: ["currency"]))
      }
      return column
    }

    /// Writes a string if only the path is set, else an object.
    public func write(to writer: inout JSONWriter) {
      if self == Column(member) { writer.string(member) } else { Column.fields.encode(self, to: &writer) }
    }

    /// A string or an object.
    public static var schema: JSONSchema { .string(or: fields) }
  }

  /// An action of the user on an item.
  public struct Action: Record, Sendable {
    /// The items that an action applies to.
    public enum Target: String, JSONStringEnum, Sendable {
      /// One item.
      case item
      /// One item, or all marked items.
      case many
    }

    /// The screen's input that the action calls.
    public var input: String
    /// The new values of fields, by their names. Only for the input `change`.
    public var set: [String: RawJSON]?
    /// The input's parameters, by their names. A string that is only `{path}` is replaced with that field of the item.
    /// Any other parameter takes the item's field of the same name; if there is none, the user is asked for it.
    public var params: [String: RawJSON]?
    /// The name that the user reads.
    public var name: String?
    /// A short text that can replace the name, such as an emoji.
    public var icon: String?
    /// The character that calls the action when the user types it.
    public var key: String?
    /// A question that the user must confirm first.
    public var confirm: String?
    /// Whether the action can be undone. To undo a removal, the screen needs the input `undo` and the state `undoable`.
    public var undo: Bool?
    /// The items that the action applies to; nil means one item.
    public var target: Target?

    /// Describes an action.
    public init(
      _ input: String, set: [String: RawJSON]? = nil, params: [String: RawJSON]? = nil, name: String? = nil,
      icon: String? = nil, key: String? = nil, confirm: String? = nil, undo: Bool? = nil, for target: Target? = nil
    ) {
      (self.input, self.set, self.params, self.name, self.icon) = (input, set, params, name, icon)
      (self.key, self.confirm, self.undo, self.target) = (key, confirm, undo, target)
    }

    /// The fields in JSON.
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

    /// Reads an action. Reports a key that isn't one character, and `set` with another input than `change`.
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
  /// The schema of a string, or of an object with these fields.
  fileprivate static func string<Root>(or fields: Fields<Root>) -> JSONSchema {
    var schema = JSONSchema()
    schema.anyOf = [JSONSchema(type: .string), JSONSchema(properties: fields.properties)]
    return schema
  }
}
