internal import Nagare
internal import Reactor
internal import WireJSON

/// A configuration that was read from a file.
package struct ConfigurationFile {
  let path: String
  package let configuration: Configuration

  /// The folder to which the configuration's paths are relative.
  var folder: String {
    guard let slash = path.lastIndex(of: "/") else { return "" }
    return String(path[...slash])
  }

  /// Reads a file, and checks all of it.
  init(path: String) throws(ConfigurationError) {
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try Descriptor.contents(of: path)
    } catch {
      throw ConfigurationError(description: "nagare: \(path): \(error.reason); name a readable configuration")
    }
    try self.init(bytes, path: path)
  }

  /// Checks the whole content of a file.
  package init(_ bytes: [UInt8], path: String) throws(ConfigurationError) {
    let text: RawJSON
    do throws(JSONError) {
      text = try RawJSON(validating: bytes)
    } catch {
      let place = SourceLocation(of: error.offset, in: bytes)
      throw ConfigurationError(description: "\(path):\(place): not JSON: \(error.message)")
    }
    var context = DecodingContext(unknownMembers: .reported)
    let decoded = Configuration.decode(text, in: &context)
    if let decoded {
      decoded.checkReferences(in: &context)
      ScreenBuilder(decoded).checkDisplays(in: &context)
    }
    let failures = context.failures.map { (offset: $0.offsetToShow(in: bytes), message: $0.message) }
      .sorted { $0.offset < $1.offset }
      .map { "\(path):\(SourceLocation(of: $0.offset, in: bytes)): \($0.message.onOneLine)" }
    guard let decoded, failures.isEmpty else {
      throw ConfigurationError(description: failures.joined(separator: "\n"))
    }
    self.path = path
    configuration = decoded
  }
}

extension String {
  /// The text with control characters escaped as in JSON, so that a name can't begin a new line in a message.
  var onOneLine: String {
    unicodeScalars.reduce(into: "") { line, scalar in
      if scalar.properties.generalCategory == .control {
        line += "\\u00" + String(0x100 + scalar.value, radix: 16).dropFirst()
      } else {
        line.unicodeScalars.append(scalar)
      }
    }
  }
}

extension DecodingFailure {
  /// Returns the offset that a message shows: that of an unknown key, or otherwise that of the value.
  fileprivate func offsetToShow(in bytes: [UInt8]) -> Int {
    guard kind == .unknownMember, let colon = bytes[..<offset].lastIndex(of: UInt8(ascii: ":")),
      var start = bytes[..<colon].lastIndex(of: UInt8(ascii: "\""))
    else { return offset }
    // The opening quote of the key is the nearest one that isn't escaped by a backslash.
    repeat {
      guard let before = bytes[..<start].lastIndex(of: UInt8(ascii: "\"")) else { return offset }
      start = before
    } while !bytes[..<start].reversed().prefix { $0 == UInt8(ascii: "\\") }.count.isMultiple(of: 2)
    return start
  }
}

extension Configuration {
  /// Reports references to names that don't exist. Definitions with other mistakes have been reported already.
  func checkReferences(in context: inout DecodingContext) {
    let takers = takers
    for (name, screen) in screens.values {
      switch screen {
      case .list(let list):
        check(list.source, of: name, in: &context)
        if let key = screen.followedKey { checkQuery(key, of: name, in: &context) }
        check(detail: list.paging.detail, by: list.source, of: name, in: &context)
        check(list.paging.filters, by: list.source, of: name, in: &context)
      case .search(let search):
        check(search.source, of: name, in: &context)
        check(detail: search.paging.detail, by: search.source, of: name, in: &context)
        check(search.paging.filters, by: search.source, of: name, in: &context)
      case .feed(let feed): check(feed.source, of: name, in: &context)
      case .choice(let choice): check(choice, of: name, takers, in: &context)
      case .task(let tasks): context.within("screens") { $0.within(name, tasks.check) }
      case .pager(let pager):
        guard let source = pager.source else { break }
        check(source, of: name, in: &context)
        check(givesItems: source, at: source.json, ["screens", name, "source"], in: &context)
      }
    }
  }

  /// Reports a reference to a screen that can't show an item.
  private func check(
    detail: Reference?, by source: Reference?, of screen: String, in context: inout DecodingContext
  ) {
    guard let detail, !screens.isFaulty(detail.name), !context.isFull else { return }
    if case .pager(let pager)? = screens[detail.name] {
      guard pager.whole, let source else { return }
      return check(givesItems: source, at: detail.json, ["screens", screen, "detail"], in: &context)
    }
    let pagers = screens.values.compactMap { if case .pager = $0.value { $0.name } else { nil } }
    let expected =
      pagers.isEmpty
      ? "the name of a pager screen; there is none"
      : "the name of a pager, \(pagers.joined(separator: ", ")), not \"\(detail.name)\""
        + suggestion(for: detail.name, in: pagers, quote: "'")
    context.report(DecodingFailure(expected: expected, in: detail.json, path: ["screens", screen, "detail"]))
  }

  /// Reports a source that doesn't provide full items although they are needed.
  private func check(
    givesItems source: Reference, at json: RawJSON, _ path: [String], in context: inout DecodingContext
  ) {
    guard let known = sources[source.name], !known.givesItems, !context.isFull else { return }
    let expected =
      "of a source that returns full items: add \"items\": true to \"\(source.name)\", if it answers source/item"
    context.report(DecodingFailure(expected: expected, in: json, path: path))
  }

  /// Reports a reference to a source that doesn't exist.
  private func check(_ source: Reference, of screen: String, in context: inout DecodingContext) {
    guard sources[source.name] == nil, !sources.isFaulty(source.name), !context.isFull else { return }
    let known = sources.values.map(\.name)
    let expected =
      known.isEmpty
      ? "a name among 'sources'; there are none"
      : "the name of a source, \(known.joined(separator: ", ")), not \"\(source.name)\""
        + suggestion(for: source.name, in: known, quote: "'")
    context.report(DecodingFailure(expected: expected, in: source.json, path: ["screens", screen, "source"]))
  }
}
