internal import ItemList
internal import WireJSON

extension FuzzTarget {
  /// The JSON reader. It agrees with a slow reader about valid texts and about the positions of errors. Every slice is
  /// within its parent. A value that is read and written again keeps its meaning, both by hand and with a `Codable`
  /// type.
  public static let json = FuzzTarget(
    "json", testedInputs: 20_000,
    seeds: [
      #"{"jsonrpc":"2.0","id":1,"method":"open","params":{"screen":"items","view":"v"}}"#,
      #" [ {"id":"a","n":-0.50e+2} , {"\u0069d":12345678901234567890}, {"id":null}, 7, {"id":"é","id":"🙂"} ] "#,
      #"["\ud83d\ude42\ud800\n\"\\\/\u0000", "日本語\u{7FF}\u{FFFF}\u{10FFFF}", "", true, false, null, 0, 1E400]"#,
      "[[[[[[[[{\"a\":{\"b\":[]}}]]]]]]]]",
      "{\"id\":1}\n{\"id\":\"1\"}\r\n\n{\"id\":[]}\n{broken}\n{\"id\":2.0, \"text\":\"the quick brown fox jumps\"}",
      "{\n  \"a\": 922337203685477580.7e1,\n\t\"b\" : -9223372036854775808\r\n}",
    ],
    words: [
      "{", "}", "[", "]", ":", ",", "\"", "\\", "\\u00e9", "\\ud800", "\\udc00", "\\ud83d\\ude42", "\"id\"",
      "\"\\u0069d\"",
      "\"id\":1,", "true", "false", "null", "-", "0", "-0", "1.5", "1e5", "E+", "9223372036854775807", "\n", "\r\n",
      " ",
      "        ", "\u{0}", "\u{1F}", "\u{7F}", "é", "日", "🙂", "[[[[[[[[", "{}", "[]", "\u{FEFF}",
    ]
  ) { input throws(Finding) in
    try checkVerdict(of: input)
    try checkItems(in: input)
  }
}

private let maxDepth = 12

private func checkVerdict(of input: [UInt8]) throws(Finding) {
  let expected = ReferenceReader.error(in: input, maxDepth: maxDepth)
  let (text, error) = readJSON(input, maxDepth: maxDepth)
  try require(error == expected, "the reader says \(fault(error)), the slow one \(fault(expected))")
  let (scan, scanError) = scanMembers(of: input)
  try require(scanError == expected, "the scan says \(fault(scanError)), the slow reader \(fault(expected))")
  guard let text, let scan else { return }
  try require(scan.range == text.range, "the scan has found \(scan.range), the reader \(text.range)")
  try require(scan[0] == text.member("id")?.range, "the scan has found the id at \(String(describing: scan[0]))")
  try require(scan[1] == text.member("method")?.range, "the scan has found the method elsewhere")
  try checkParts(of: text)
  let again = try rewritten(text)
  try require(again.isEquivalent(to: text) && text.isEquivalent(to: again), "written anew it is \(again)")
  let coded = try recoded(text)
  try require(coded.isEquivalent(to: text) && text.isEquivalent(to: coded), "as a Codable value it is \(coded)")
  let (indented, indentedError) = readJSON(Array(text.indented.utf8))
  try require(indented?.isEquivalent(to: text) == true, "indented it means something else: \(fault(indentedError))")
}

private func fault(_ error: JSONError?) -> String { error.map { "\($0)" } ?? "it is JSON" }

private func scanMembers(of input: [UInt8]) -> (MemberScan?, JSONError?) {
  do throws(JSONError) {
    return (try MemberScan(input.span, MemberNames("id", "method"), maxDepth: maxDepth), nil)
  } catch {
    return (nil, error)
  }
}

/// Checks that values follow each other in their container, and can be parsed separately.
private func checkParts(of json: RawJSON) throws(Finding) {
  var end = json.start
  for part in Array(json.elements) + json.members.map(\.value) {
    try require(part.start > end && part.end < json.end && part.count > 0, "\(part.range) isn't within \(json.range)")
    try require(ReferenceReader.error(in: Array(part.bytes)) == nil, "a part is no JSON: \(part)")
    end = part.end
    try checkParts(of: part)
  }
  for (name, _) in json.members {
    // A name with a surrogate without its partner can't be looked up.
    if name.string.unicodeScalars.contains("\u{FFFD}") { continue }
    let last = json.members.filter { $0.key == name }.last?.value
    try require(json.member(name.string)?.range == last?.range, "'\(name)' isn't the last of its name")
  }
}

/// Any JSON value, decoded and encoded like an author's type.
private enum Tree: Codable {
  case object([(name: Name, value: Tree)])
  case array([Tree])
  case scalar(RawJSON)

  struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  init(from decoder: any Decoder) throws {
    if let members = try? decoder.container(keyedBy: Name.self) {
      self = .object(try members.allKeys.map { ($0, try members.decode(Tree.self, forKey: $0)) })
    } else if let elements = try? [Tree](from: decoder) {
      self = .array(elements)
    } else {
      self = .scalar(try decoder.singleValueContainer().decode(RawJSON.self))
    }
  }

  func encode(to encoder: any Encoder) throws {
    switch self {
    case .object(let members):
      var container = encoder.container(keyedBy: Name.self)
      for (name, value) in members { try container.encode(value, forKey: name) }
    case .array(let elements): try elements.encode(to: encoder)
    case .scalar(let json): try json.encode(to: encoder)
    }
  }
}

private func recoded(_ json: RawJSON) throws(Finding) -> RawJSON {
  do {
    return try RawJSON(encoding: json.decode(Tree.self))
  } catch {
    throw Finding("it can't be read and written as a Codable value: \(error)")
  }
}

/// Reads a value by the reader's accessors, and writes it with the writer.
private func rewritten(_ json: RawJSON) throws(Finding) -> RawJSON {
  var writer = JSONWriter()
  rewrite(json, to: &writer)
  let (again, error) = readJSON(writer.bytes)
  return try require(again, "written anew it is no JSON: \(fault(error)) in \(writer.text)")
}

private func rewrite(_ json: RawJSON, to writer: inout JSONWriter) {
  switch json.kind {
  case .null: writer.null()
  case .bool: writer.bool(json.bool == true)
  case .number:
    if let int = json.int { writer.int(int) } else { writer.raw(json) }
  case .string:
    // A String can't contain a surrogate without its partner.
    if let string = json.string, !string.unicodeScalars.contains("\u{FFFD}") {
      writer.string(string)
    } else {
      writer.raw(json)
    }
  case .array:
    writer.beginArray()
    for element in json.elements { rewrite(element, to: &writer) }
    writer.endArray()
  case .object:
    let names = json.members.map(\.key)
    // Different names with such surrogates would become the same String.
    if names.contains(where: { $0.string.unicodeScalars.contains("\u{FFFD}") }) { return writer.raw(json) }
    writer.beginObject()
    for (name, value) in json.members {
      writer.key(name.string)
      rewrite(value, to: &writer)
    }
    writer.endObject()
  }
}

/// Checks that the listed items are all objects with a usable id, in their order: of the lines of a text, and of an
/// array.
private func checkItems(in input: [UInt8]) throws(Finding) {
  var scan = ItemScan()
  scan.continueLines(input.span, id: "id", maxDepth: maxDepth)
  let lines = input.split(separator: UInt8(ascii: "\n")).filter { line in !line.allSatisfy(" \t\r".utf8.contains) }
  let items = lines.compactMap { line -> Range<Int>? in
    guard let json = try? RawJSON(validating: Array(line), maxDepth: maxDepth), hasUsableID(json) else { return nil }
    return line.startIndex + json.start..<line.startIndex + json.end
  }
  try require(scan.slices.map(\.range) == items, "the lines have items at \(items), not \(scan.slices.map(\.range))")
  try require(scan.rejected.count == lines.count - items.count, "\(lines.count) lines have \(scan.rejected)")
  try checkIDs(of: scan.slices, in: input)
  guard let text = try? RawJSON(validating: input, maxDepth: maxDepth), let array = RawItems(arrayOf: text, id: "id")
  else { return }
  let elements = text.elements.filter(hasUsableID).map(\.range)
  try require(array.slices.map(\.range) == elements, "the array has items at \(elements), not \(array.slices)")
  try checkIDs(of: array.slices, in: input)
}

private func hasUsableID(_ item: RawJSON) -> Bool {
  guard let id = item.member("id") else { return false }
  return id.kind == .string || id.kind == .number
}

private func checkIDs(of slices: [RawItems.Slice], in input: [UInt8]) throws(Finding) {
  for slice in slices {
    let item = RawJSON(trusting: input, slice.range)
    try require(item.member("id")?.range == slice.idRange, "the id of \(item) is said to be at \(slice.idRange)")
  }
}
