import Testing

@testable import NagareHTTP

struct WebAddressTests {
  /// The examples of RFC 3986, section 5.4, without fragments, which aren't sent, and without other schemes.
  @Test(arguments: [
    ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"),
    ("//g", "http://g"),
    ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"), ("g#s", "http://a/b/c/g"), ("g?y#s", "http://a/b/c/g?y"),
    (";x", "http://a/b/c/;x"), ("g;x?y#s", "http://a/b/c/g;x?y"), (".", "http://a/b/c/"), ("./", "http://a/b/c/"),
    ("..", "http://a/b/"), ("../", "http://a/b/"), ("../g", "http://a/b/g"), ("../..", "http://a/"),
    ("../../", "http://a/"),
    ("../../g", "http://a/g"), ("../../../g", "http://a/g"), ("../../../../g", "http://a/g"), ("/./g", "http://a/g"),
    ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."), (".g", "http://a/b/c/.g"), ("g..", "http://a/b/c/g.."),
    ("..g", "http://a/b/c/..g"), ("./../g", "http://a/b/g"), ("./g/.", "http://a/b/c/g/"),
    ("g/./h", "http://a/b/c/g/h"),
    ("g/../h", "http://a/b/c/h"), ("g;x=1/./y", "http://a/b/c/g;x=1/y"), ("g;x=1/../y", "http://a/b/c/y"),
    ("g?y/./x", "http://a/b/c/g?y/./x"), ("g?y/../x", "http://a/b/c/g?y/../x"), ("HTTPS://B", "https://B"),
    ("g h?流\"", "http://a/b/c/g%20h?%E6%B5%81%22"), ("%2e%zz", "http://a/b/c/%2e%zz"), ("?", "http://a/b/c/d;p?"),
  ])
  func `an address is resolved against another`(reference: String, address: String) {
    let base = WebAddress("http://a/b/c/d;p?q")
    let resolved = WebAddress(reference, relativeTo: base)
    #expect(resolved?.text == address)
    #expect(resolved.flatMap { WebAddress($0.text) } == resolved)
  }

  @Test(arguments: [
    "", "#s", "g:h", "http:g", "http:///x", "http://", "http://[", "http://]", "http://a]b", "http://[::1",
    "http://[::1]x",
    "http://u@h/", "http://u:p@h/", "http://h\\@evil/", "http://h%2eorg/", "http://h:65536/", "http://h:x/",
    "http://h:-1/",
    "http://h:80:80/", "http://h /", "http://h\u{0}/", "http://é/", "file:///etc/passwd", "ftp://h/", "javascript:1",
    "://h/",
  ])
  func `a text that isn't a web address is refused`(text: String) {
    #expect(WebAddress(text, relativeTo: WebAddress("http://a/b")) == nil)
  }

  @Test func `an absolute address must have a host`() {
    #expect(WebAddress("/x") == nil)
    #expect(WebAddress("//h/x") == nil)
    #expect(WebAddress("x") == nil)
  }

  @Test(arguments: [
    ("http://h", "http", "h", 80), ("https://H:/x", "https", "h", 443), ("http://h:8080?x", "http", "h", 8080),
    ("https://[::1]/", "https", "[::1]", 443), ("http://[2001:DB8::1]:81/", "http", "[2001:db8::1]", 81),
  ])
  func `the origin is scheme, host and port`(text: String, scheme: String, host: String, port: Int) {
    #expect(WebAddress(text)?.origin == WebAddress.Origin(scheme: scheme, host: host, port: port))
  }

  @Test func `a query isn't shown`() {
    #expect(WebAddress("http://h/x?token=hunter2")?.withoutQuery == "http://h/x?…")
    #expect(WebAddress("http://h/x")?.withoutQuery == "http://h/x")
  }
}
