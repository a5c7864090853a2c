import HTTPSettings
import Testing
import WireJSON

struct HTTPSourceConfigurationTests {
  private func failures(_ text: String) throws -> [String] {
    var context = DecodingContext(unknownMembers: .reported)
    _ = HTTPSourceConfiguration.decode(try RawJSON(text), in: &context)
    return context.failures.map(\.message)
  }

  private func configuration(_ members: String) throws -> HTTPSourceConfiguration {
    try HTTPSourceConfiguration(json: RawJSON(#"{"url":\#(members)}"#))
  }

  @Test func `a url is the only required setting`() throws {
    let configuration = try configuration(#""https://example.org/items""#)
    #expect(configuration.id == "id")
    #expect(configuration.items == [])
    #expect(configuration.paging == .single)
    #expect(configuration.retries == 2)
    #expect(configuration.timeout == 8000)
  }

  @Test func `a configuration is the same after writing and reading`() throws {
    let text = #"""
      {"type":"http","url":"https://h/?p={page}","id":"key","headers":{"A":"b","C":{"environment":"D","prefix":"E ",\#
      "optional":true}},"items":["data"],"next":{"by":"page","first":0},"total":{"header":"X-Total"},\#
      "maxPageSize":100,"timeout":1,"retries":0,"maxResponseSize":2,"maxConcurrent":3,"allowRedirectsTo":["i"]}
      """#
    #expect(try HTTPSourceConfiguration(json: RawJSON(text)).json.text == text)
  }

  @Test(arguments: [
    (#""https://h/?p={page}""#, Paging.page(first: 1)),
    (#""https://h/?p={page}","next":{"by":"page","first":0}"#, .page(first: 0)),
    (#""https://h/?o={offset}""#, .offset(first: 0)),
    (#""https://h/?o={offset}","next":{"by":"offset","first":1}"#, .offset(first: 1)),
    (
      #""https://h/?c={cursor}","next":{"by":"cursor","path":["meta","next"],"more":["meta","more"]}"#,
      .cursor(path: ["meta", "next"], previous: nil, more: ["meta", "more"])
    ),
    (#""https://h/","next":{"by":"link"}"#, .link(path: nil, previous: nil)),
    (
      #""https://h/","next":{"by":"link","path":["next"],"previous":["prev"]}"#,
      .link(path: ["next"], previous: ["prev"])
    ),
    (#""https://h/""#, .single),
  ])
  func `the next page is found by next, or by the url`(members: String, paging: Paging) throws {
    #expect(try configuration(members).paging == paging)
  }

  @Test(arguments: [
    (#"{}"#, "'url' is missing: expected a string"),
    (#"{"url":"ftp://h/"}"#, "'url' must be an address that starts with https:// or http://"),
    (#"{"url":"http://h/?c={cursor}"}"#, "the value must be an object with 'next', because 'url' has {cursor}"),
    (#"{"url":"http://h/?p={page}&o={offset}"}"#, "'url' must be an address with {page} or {offset}, not both"),
    (
      #"{"url":"http://h/","next":{"by":"page"}}"#,
      "'url' must be an address with {page}, because 'next' has 'by': page"
    ),
    (
      #"{"url":"http://h/?p={page}","next":{"by":"link"}}"#, "'next.by' must be \"page\", because 'url' has {page}"
    ),
    (
      #"{"url":"http://h/?c={cursor}","next":{"by":"cursor"}}"#,
      "'next' must be an object with 'path', the path of fields to the cursor"
    ),
    (
      #"{"url":"http://h/?p={page}","next":{"by":"page","path":["a"]}}"#,
      "'next.path' must be left out: it is only for \"cursor\" and \"link\""
    ),
    (
      #"{"url":"http://h/","next":{"by":"link","more":["a"]}}"#,
      "'next.more' must be left out: it is only for \"cursor\""
    ),
    (
      #"{"url":"http://h/","next":{"by":"link","first":1}}"#,
      "'next.first' must be left out: it is only for \"page\" and \"offset\""
    ),
    (
      #"{"url":"http://h/?p={page}","next":{"by":"page","first":-1}}"#,
      "'next.first' must be a whole number, 0 to 1000000"
    ),
    (
      #"{"url":"http://h/","next":{"by":"link","previous":["a"]}}"#,
      "'next.previous' must be left out: it needs 'path'"
    ),
    (#"{"url":"http://h/","next":{"by":"magic"}}"#, #"'next.by' must be "page", "offset", "cursor" or "link""#),
    (#"{"url":"http://h/","total":{}}"#, "'total' must be an object with either 'path' or 'header'"),
    (#"{"url":"http://h/","maxPageSize":0}"#, "'maxPageSize' must be a whole number, 1 to 10000"),
    (#"{"url":"http://h/","timeout":0}"#, "'timeout' must be a whole number, 1 to 600000"),
    (#"{"url":"http://h/","headers":{"A":1}}"#, "'headers.A' must be a string, or an object with 'environment'"),
    (#"{"url":"http://h/","headers":{"A":"b\r\nC: d"}}"#, "'headers.A' must be a text without control characters"),
    (
      #"{"url":"http://h/","headers":{"A:":"b"}}"#,
      "'headers.A:' must be the name of a header: letters, digits and hyphens"
    ),
    (#"{"url":"http://h/","headers":{"A":{}}}"#, "'headers.A.environment' is missing: expected a string"),
    (
      #"{"url":"http://h/","headers":{"A":{"environment":"B","sufix":"C"}}}"#,
      "'headers.A.sufix' is unknown: expected 'environment', 'prefix' or 'optional'"
    ),
    (
      #"{"url":"http://h/","headers":{"A":{"environment":"HTTP_TOKEN"}}}"#,
      "'headers.A.environment' must be a name that doesn't begin with HTTP_, because web servers fill "
        + "such variables from a client's headers"
    ),
    (
      #"{"url":"http://h/","allowRedirectsTo":["http://i/"]}"#,
      "'allowRedirectsTo[0]' must be a host without scheme and path, such as \"api.example.org\""
    ),
  ])
  func `a mistake is reported with its path and its remedy`(text: String, message: String) throws {
    #expect(try failures(text) == [message])
  }

  @Test func `a mistake is reported at the location of its value`() throws {
    var context = DecodingContext()
    let text = #"{"url":"http://h/?p={page}","next":{"by":"link"}}"#
    _ = HTTPSourceConfiguration.decode(try RawJSON(text), in: &context)
    #expect(context.failures.map(\.offset) == [text.utf8.count - 8])
  }

  @Test func `the schema of an HTTP source lists its fields`() {
    let names = HTTPSourceConfiguration.schema.properties.map(\.name)
    #expect(names.prefix(3) == ["type", "url", "id"])
    #expect(HTTPSourceConfiguration.schema.properties.filter(\.isRequired).map(\.name) == ["url"])
  }
}
