import HTTPSettings
import Testing

struct URLTemplateTests {
  private func url(_ template: String, _ values: [URLTemplate.Placeholder: String]) throws -> String {
    try URLTemplate(template).expanded(values).url
  }

  @Test func `values are filled in`() throws {
    let template = "https://example.org/{page}/items?page={page}&per_page={size}&from={offset}&q={query}&after={cursor}"
    #expect(
      try url(template, [.page: "3", .size: "20", .offset: "40", .query: "swift", .cursor: "abc"])
        == "https://example.org/3/items?page=3&per_page=20&from=40&q=swift&after=abc")
  }

  @Test(arguments: [
    ("a b&c=d", "a%20b%26c%3Dd"), ("流れ", "%E6%B5%81%E3%82%8C"), ("../?#", "..%2F%3F%23"), ("-._~", "-._~"),
    ("%", "%25"),
    ("+", "%2B"), ("{page}", "%7Bpage%7D"), ("\u{0}\r\n", "%00%0D%0A"),
  ])
  func `values are percent-encoded, byte by byte`(value: String, encoded: String) throws {
    #expect(try url("http://h/{query}?q={query}", [.query: value]) == "http://h/\(encoded)?q=\(encoded)")
  }

  @Test func `a parameter with only a placeholder is left out if that has no value`() throws {
    let template = "http://h/items?a={cursor}&b=1&c={query}&d={query}+tag:x"
    #expect(try url(template, [:]) == "http://h/items?b=1&d=+tag:x")
    #expect(try url(template, [.query: ""]) == "http://h/items?b=1&d=+tag:x")
    #expect(try url("http://h/items?c={cursor}", [:]) == "http://h/items")
    #expect(try url("http://h/items?c={cursor}", [.cursor: "0"]) == "http://h/items?c=0")
  }

  @Test func `text of the template stays unchanged, except for characters that no address can have`() throws {
    #expect(try url("http://H.example:8080?a[]=%20&b&=c&&d=é", [:]) == "http://h.example:8080/?a[]=%20&b&=c&d=%C3%A9")
  }

  @Test func `the shown address has the filled-in values and hides all others`() throws {
    let template = try URLTemplate("http://h/items?page={page}&key=hunter2&q={query}+x&sesame")
    #expect(template.expanded([.page: "2"]).shown == "http://h/items?page=2&key=…&q=…&…")
  }

  @Test(arguments: [
    "", "items", "ftp://h/", "https://", "https:///items", "https://user:password@h/", "https://{query}/",
    "https://h{page}/", "https://h/#top", "https://h/?q={search}", "https://h/{", "https://h/}", "https://h/{page",
    "https://h?@other/{}", "//h/", "https://h/a/../b", "https://h/.", "https://h/./{page}",
  ])
  func `an invalid template is refused`(template: String) {
    #expect(throws: URLTemplate.Malformed.self) { try URLTemplate(template) }
  }

  @Test func `the error for an unknown placeholder lists the known ones`() {
    let fault = #expect(throws: URLTemplate.Malformed.self) { try URLTemplate("https://h/?q={search}") }
    #expect(fault?.expected.contains("{page}, {offset}, {size}, {query}, {cursor}") == true)
  }

  @Test func `no value leads to another host`() throws {
    for value in ["@evil.example", "//evil.example", "\\evil.example", "?x#y", "..", "%2e%2e", "evil.example:80/"] {
      #expect(try url("https://h/{query}", [.query: value]).hasPrefix("https://h/"))
    }
    #expect(try url("https://h/{query}", [.query: "@evil.example"]) == "https://h/%40evil.example")
  }

  @Test(arguments: ["..", ".", "../x", "x/..", "a/../b", "..\\x"])
  func `a value with a step up leaves the path`(value: String) throws {
    let template = try URLTemplate("https://h/items/{query}/list?q={cursor}")
    #expect(!template.keepsPath([.query: value]))
    #expect(template.keepsPath([.cursor: value]))
  }

  @Test(arguments: ["", "...", "..x", ".x", "a.b", "流れ", "/"])
  func `any other value keeps the path`(value: String) throws {
    #expect(try URLTemplate("https://h/items/{query}/list").keepsPath([.query: value]))
  }

  @Test func `a value and its neighbouring text together can form a step up`() throws {
    #expect(try !URLTemplate("https://h/items/.{query}").keepsPath([.query: "."]))
    #expect(try !URLTemplate("https://h/items/{query}{cursor}").keepsPath([.query: ".", .cursor: "."]))
  }

  @Test func `a template reports its placeholders`() throws {
    let template = try URLTemplate("https://h/{page}?x={size}&{cursor}=1")
    #expect(Set(template.placeholders) == [.page, .size, .cursor])
    #expect(template.uses(.size) && !template.uses(.query))
  }

  @Test func `placeholders can name filters and the bounds of a range`() throws {
    let template = try URLTemplate("https://h/{filter.label}?since={filter.at.from}&sort={filter.sort}")
    #expect(template.names(filter: "label") && template.names(filter: "at") && !template.names(filter: "lab"))
    let values: [URLTemplate.Placeholder: String] = [.filter("label"): "a/b", .filter("sort"): "-at"]
    #expect(template.expanded(values).url == "https://h/a%2Fb?sort=-at")
    #expect(!template.keepsPath([.filter("label"): ".."]))
    #expect(throws: URLTemplate.Malformed.self) { try URLTemplate("https://h/{filter.}") }
    #expect(throws: URLTemplate.Malformed.self) { try URLTemplate("https://h/{filter}") }
  }
}
