import Paging
import Testing
import WireJSON

@testable import NagareCommand

@Suite struct ConfigurationTests {
  private func read(_ text: String) throws -> Configuration {
    try ConfigurationFile(Array(text.utf8), path: "dir/c.json").configuration
  }

  /// The errors for a wrong configuration, one in each line, without the path.
  private func faults(_ text: String) -> [String] {
    do throws(ConfigurationError) {
      _ = try ConfigurationFile(Array(text.utf8), path: "c.json")
      return []
    } catch {
      return "\(error)".split(separator: "\n").map { line in
        line.hasPrefix("c.json:") ? String(line.dropFirst(7)) : "without a path: \(line)"
      }
    }
  }

  private let good = """
    {
      "sources": {
        "mail": {"type": "file", "path": "mail.jsonl", "id": "key"},
        "mine": {"type": "client"},
        "demo": {"type": "demo"},
        "rows": {"type": "command", "command": ["python3", "rows.py", ""], "id": "row"}
      },
      "screens": {
        "inbox": {"viewModel": "list", "source": "mail", "pageSize": 7, "throttle": 0, "onRefresh": "keep", "detail": "one"},
        "plain": {"viewModel": "list", "source": "mine"},
        "one": {"viewModel": "pager"}
      }
    }
    """

  @Test func `sources and screens are read in their order, with defaults`() throws {
    let configuration = try read(good)
    #expect(configuration.sources.values.map(\.name) == ["mail", "mine", "demo", "rows"])
    #expect(configuration.sources.values.map(\.value.id) == ["key", "id", "id", "row"])
    #expect(configuration.screens.values.map(\.name) == ["inbox", "plain", "one"])
    guard case .list(let inbox)? = configuration.screens["inbox"],
      case .list(let plain)? = configuration.screens["plain"],
      case .pager? = configuration.screens["one"], case .file(let mail)? = configuration.sources["mail"],
      case .command(let rows)? = configuration.sources["rows"]
    else {
      Issue.record("the screens are of other kinds")
      return
    }
    #expect(mail.path == "mail.jsonl")
    #expect(rows.command.words == ["python3", "rows.py", ""])
    #expect(
      inbox.paging.options.pageSize == 7 && inbox.paging.options.throttle.duration == .zero
        && inbox.paging.options.onRefresh == .keep)
    #expect(inbox.paging.detail?.name == "one" && inbox.source.name == "mail")
    #expect(
      plain.paging.options.pageSize == 20 && plain.paging.options.throttle.duration == .seconds(1)
        && plain.paging.options.onRefresh == .clear)
    #expect(plain.paging.detail == nil)
  }

  @Test func `a configuration is the same after writing and reading`() throws {
    let configuration = try read(good)
    let again = try read(configuration.json.text)
    #expect(again.json.text == configuration.json.text)
  }

  @Test func `paths are relative to the configuration's folder`() throws {
    let text = Array(#"{"screens":{"p":{"viewModel":"pager"}}}"#.utf8)
    #expect(try ConfigurationFile(text, path: "a/b/c.json").folder == "a/b/")
    #expect(try ConfigurationFile(text, path: "/c.json").folder == "/")
    #expect(try ConfigurationFile(text, path: "c.json").folder == "")
  }

  @Test func `an unknown key is reported with its location and the known keys`() {
    let list =
      "'viewModel', 'source', 'query', 'pageSize', 'throttle', 'onRefresh', 'prefetch', 'confirmRemoval', 'arrivals', "
      + "'livePace', 'maxItems', 'sections', 'marks', 'pending', 'undo', 'detail', 'filters' or 'display'"
    let text = """
      {
        "sources": {"mine": {"type": "client"}},
        "screens": {
          "a": {"viewModel": "list", "source": "mine", "pagesize":
            7}
        },
        "screan": {}
      }
      """
    #expect(
      faults(text) == [
        "4:50: 'screens.a.pagesize' is unknown: expected \(list); did you mean 'pageSize'?",
        "7:3: 'screan' is unknown: expected '$schema', 'sources', 'stores' or 'screens'; did you mean 'screens'?",
      ])
  }

  @Test func `an unknown key with escapes is reported at its start`() {
    #expect(faults(#"{"screens":{},  "a\"b\\" : 1}"#).last?.hasPrefix("1:17: ") == true)
    #expect(faults(#"{"screens":{},"": 1}"#).last?.hasPrefix("1:15: ") == true)
  }

  @Test func `a name with a line feed is reported on one line`() {
    #expect(faults(#"{"screens":{"a\n\u009b":7}}"#) == [#"1:25: 'screens.a\u000a\u009b' must be an object"#])
  }

  @Test func `all mistakes are reported together, in the order of the text`() {
    let text = """
      {"sources": {"a": {"type": "file"}, "b": {"type": "ouija"}, "c": {}, "d": 7, "e": {"type": "file", "path": 5}},
       "screens": {"s": {"viewModel": "list"},
                   "t": {"viewModel": "list", "source": "z", "pageSize": 0, "throttle": -1, "onRefresh": "no", "detail": "s"},
                   "u": {"viewModel": "carousel"}}}
      """
    let expected = [
      "1:19: 'sources.a.path' is missing: expected a string",
      #"1:51: 'sources.b.type' must be one of "demo", "file", "client", "command", "http", not "ouija""#,
      #"1:66: 'sources.c.type' is missing: expected one of "demo", "file", "client", "command", "http""#,
      "1:75: 'sources.d' must be an object",
      "1:108: 'sources.e.path' must be a string",
      "2:19: 'screens.s.source' is missing: expected a string",
      "3:68: 'screens.t.pageSize' must be a whole number, 1 to 10000",
      "3:83: 'screens.t.throttle' must be a whole number of milliseconds, 0 or more",
      #"3:100: 'screens.t.onRefresh' must be "clear", "keep" or "revalidate""#,
      #"4:33: 'screens.u.viewModel' must be one of "list", "pager", "search", "choice", "feed", "task", not "carousel""#,
    ]
    #expect(faults(text) == expected)
  }

  @Test func `unknown names are reported with the known ones`() {
    let text = """
      {"sources": {"mine": {"type": "client"}},
       "screens": {"s": {"viewModel": "list", "source": "yours"},
                   "t": {"viewModel": "list", "source": "mine", "detail": "s"},
                   "p": {"viewModel": "pager"}}}
      """
    #expect(
      faults(text) == [
        #"2:51: 'screens.s.source' must be the name of a source, mine, not "yours""#,
        #"3:69: 'screens.t.detail' must be the name of a pager, p, not "s""#,
      ])
    #expect(
      faults(#"{"screens": {"s": {"viewModel": "list", "source": "x", "detail": "y"}}}"#) == [
        "1:51: 'screens.s.source' must be a name among 'sources'; there are none",
        "1:66: 'screens.s.detail' must be the name of a pager screen; there is none",
      ])
  }

  @Test func `an unknown name that is similar to a known one is reported with it`() {
    let text = """
      {"sources": {"mails": {"type": "clinet"}, "rows": {"type": "client"}},
       "stores": {"find": {"label": "a"}},
       "screens": {"s": {"viewModel": "list", "source": "row", "detail": "detial", "filters": {"a": {"store": "find.lable"}}},
                   "detail": {"viewModel": "pager"}}}
      """
    #expect(
      faults(text) == [
        #"1:32: 'sources.mails.type' must be one of "demo", "file", "client", "command", "http", not "clinet"; did you mean 'client'?"#,
        #"3:51: 'screens.s.source' must be the name of a source, rows, not "row"; did you mean 'rows'?"#,
        #"3:68: 'screens.s.detail' must be the name of a pager, detail, not "detial"; did you mean 'detail'?"#,
        #"3:105: 'screens.s.filters.a.store' must be a key of a store, "find.label", not "find.lable"; did you mean 'find.label'?"#,
      ])
  }

  @Test func `a mistake in a source isn't reported again for its screens`() {
    let text = #"{"sources": {"a": {"type": "file"}}, "screens": {"s": {"viewModel": "list", "source": "a"}}}"#
    #expect(faults(text) == ["1:19: 'sources.a.path' is missing: expected a string"])
  }

  @Test(arguments: ["[]", "\"python3 rows.py\"", "[7]", "[\"\"]", "[\"a\", null]", "[\"a\\u0000\"]", "{}"])
  func `a command must be a program and its arguments`(command: String) {
    let text =
      #"{"sources": {"r": {"type": "command", "command": \#(command)}}, "screens": {"p": {"viewModel": "pager"}}}"#
    let expected = #"a program and its arguments, such as ["python3", "rows.py"]"#
    #expect(faults(text) == ["1:50: 'sources.r.command' must be \(expected)"])
  }

  @Test func `a command source must have a command and no unknown keys`() {
    #expect(
      faults(#"{"sources": {"r": {"type": "command", "path": "x"}}, "screens": {"p": {"viewModel": "pager"}}}"#) == [
        "1:19: 'sources.r.command' is missing: expected an array",
        "1:39: 'sources.r.path' is unknown: expected 'type', 'command', 'id', 'writes', 'items', 'live', 'order',"
          + " 'positions' or 'around'",
      ])
  }

  @Test(arguments: [
    ("", "1:1: not JSON"), ("{\n  \"screens\": {,}\n}", "2:15: not JSON"), ("{\"screens\":", "1:12: not JSON"),
    ("[]", "1:1: the value must be an object"), ("{}", "1:1: 'screens' is missing"),
    (#"{"screens":[]}"#, "1:12: 'screens' must be an object"),
    (#"{"screens":{"s":{}}}"#, "1:17: 'screens.s.viewModel' is missing"),
  ])
  func `a file that isn't a configuration is reported`(text: String, fault: String) {
    let faults = faults(text)
    #expect(faults.count == 1 && faults[0].hasPrefix(fault), "\(faults)")
  }

  @Test(arguments: [("1", true), ("10000", true), ("0", false), ("10001", false), ("1.5", false), ("\"7\"", false)])
  func `a page size must be from 1 to 10000`(size: String, isGood: Bool) {
    let text = #"""
      {"sources": {"d": {"type": "demo"}}, "screens": {"s": {"viewModel": "list", "source": "d", "pageSize": \#(size)}}}
      """#
    #expect(faults(text).isEmpty == isGood)
  }

  @Test func `an unreadable file is reported with the remedy`() {
    for path in ["/nowhere/c.json", "/"] {
      do throws(ConfigurationError) {
        _ = try ConfigurationFile(path: path)
        Issue.record("\(path) was read")
      } catch {
        #expect("\(error)".hasPrefix("nagare: \(path): ") && "\(error)".hasSuffix("name a readable configuration"))
      }
    }
  }
}

@Suite struct ConfigurationSchemaTests {
  @Test func `a configuration can name its schema`() throws {
    let text = #"{"$schema":"x.json","screens":{"p":{"viewModel":"pager"}}}"#
    #expect(try ConfigurationFile(Array(text.utf8), path: "c.json").configuration.schemaPlace == "x.json")
  }

  @Test func `the schema allows no unknown fields`() throws {
    let document = try RawJSON(Configuration.schemaDocument)
    #expect(document.member("$schema")?.string?.hasPrefix("http://json-schema.org/draft-07") == true)
    #expect(isClosed(document))
  }

  private func isClosed(_ schema: RawJSON) -> Bool {
    if schema.member("type")?.string == "object", schema.member("additionalProperties") == nil { return false }
    return (schema.members.map(\.value) + (schema.kind == .array ? Array(schema.elements) : [])).allSatisfy(isClosed)
  }
}
