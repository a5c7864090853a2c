import Paging
import HTTPSettings
import RPC
import Testing
import WireJSON

@testable import NagareHTTP

struct PageAddressTests {
  private func address(
    _ members: String, key: String? = nil, at position: Int? = nil, query: String? = nil, filters: String = "{}",
    size: Int = 20
  ) throws -> PageAddress {
    let configuration = try HTTPSourceConfiguration(json: RawJSON(#"{"url":\#(members)}"#))
    let key = try key.map { try RawJSON($0) }
    let filters = try Filters(json: RawJSON(filters))
    var request = PageRequest(key: key, query: query, filters: filters, size: size)
    request.position = position
    return try PageAddress(of: request, configuration)
  }

  @Test(arguments: [
    (#"{"label":"a&b"}"#, "http://h/?l=a%26b"), (#"{"label":1.50}"#, "http://h/?l=1.50"),
    (#"{"label":true}"#, "http://h/?l=true"), (#"{"label":["a","b,c",3]}"#, "http://h/?l=a%2Cb%2Cc%2C3"),
    (#"{"at":{"from":"x","to":"y"}}"#, "http://h/?from=x&to=y"), (#"{"at":{"to":3}}"#, "http://h/?to=3"),
    ("{}", "http://h/"),
    (#"{"at":{"from":null,"to":3}}"#, "http://h/?to=3"), (#"{"a.b":"x"}"#, "http://h/?ab=x"),
  ])
  func `filters are filled into their placeholders`(filters: String, url: String) throws {
    let template = #""http://h/?l={filter.label}&from={filter.at.from}&to={filter.at.to}&ab={filter.a.b}""#
    #expect(try address(template, filters: filters).url.text == url)
  }

  @Test func `a position is an offset from the first, and a previous page has the items between`() throws {
    let template = #""http://h/?o={offset}&n={size}","next":{"by":"offset","first":1}"#
    #expect(try address(template, at: 0).url.text == "http://h/?o=1&n=20")
    #expect(try address(template, at: 40).url.text == "http://h/?o=41&n=20")
    #expect(try address(template, key: #"{"before":41}"#).url.text == "http://h/?o=21&n=20")
    #expect(try address(template, key: #"{"before":8}"#).url.text == "http://h/?o=1&n=7")
    #expect(throws: RPCError.self) { try address(template, key: #"{"before":0}"#) }
    let refusal = #expect(throws: RPCError.self) { try address(#""http://h/?p={page}""#, at: 0) }
    #expect(refusal?.message.hasPrefix("'at' must be left out") == true)
  }

  @Test func `a range without from and to is refused, and so is a filter that leaves the path`() throws {
    let range = #expect(throws: RPCError.self) {
      try address(#""http://h/?a={filter.at}""#, filters: #"{"at":{"from":1}}"#)
    }
    #expect(range?.message.contains("{filter.at.from}") == true)
    let step = #expect(throws: RPCError.self) { try address(#""http://h/{filter.at}/b""#, filters: #"{"at":".."}"#) }
    #expect(step?.message.contains("'filters'") == true)
  }

  @Test(arguments: [
    (#""http://h/?p={page}&n={size}""#, nil, "http://h/?p=1&n=20"),
    (#""http://h/?p={page}&n={size}""#, "7", "http://h/?p=7&n=20"),
    (#""http://h/?p={page}","next":{"by":"page","first":0}"#, nil, "http://h/?p=0"),
    (#""http://h/?o={offset}""#, nil, "http://h/?o=0"),
    (#""http://h/?o={offset}""#, "40", "http://h/?o=40"),
    (#""http://h/?c={cursor}","next":{"by":"cursor","path":["n"]}"#, nil, "http://h/"),
    (#""http://h/?c={cursor}","next":{"by":"cursor","path":["n"]}"#, #""a=""#, "http://h/?c=a%3D"),
    (#""http://h/?c={cursor}","next":{"by":"cursor","path":["n"]}"#, "1.50", "http://h/?c=1.50"),
    (#""http://h/items","next":{"by":"link"}"#, nil, "http://h/items"),
    (#""http://h/items","next":{"by":"link"}"#, #""http://h/items?p=2""#, "http://h/items?p=2"),
    (#""http://h/?n={size}","maxPageSize":10"#, nil, "http://h/?n=10"),
  ])
  func `a key gives the address of its page`(members: String, key: String?, url: String) throws {
    #expect(try address(members, key: key).url.text == url)
  }

  @Test(arguments: [
    (#""http://h/?p={page}""#, "0"), (#""http://h/?p={page}""#, #""2""#), (#""http://h/?p={page}""#, "1.5"),
    (#""http://h/?p={page}""#, "9223372036854775807"),
    (#""http://h/?o={offset}""#, "-1"), (#""http://h/items","next":{"by":"link"}"#, "2"),
    (#""http://h/items","next":{"by":"link"}"#, #""items""#), (#""http://h/items""#, "1"),
  ])
  func `an invalid key is refused`(members: String, key: String) {
    let error = #expect(throws: RPCError.self) { try address(members, key: key) }
    #expect(error?.code == RPCError.Code.invalidParams.rawValue)
    #expect(error?.message.contains("'key'") == true)
  }

  @Test func `a value that leaves the path is refused with its name`() throws {
    let query = #expect(throws: RPCError.self) { try address(#""http://h/a/{query}/b""#, query: "..") }
    #expect(query?.message.contains("'query'") == true)
    let cursor = #""http://h/a/{cursor}/b","next":{"by":"cursor","path":["n"]}"#
    let key = #expect(throws: RPCError.self) { try address(cursor, key: #""x/../..""#) }
    #expect(key?.message.contains("'key'") == true)
  }

  @Test func `a link's query is not shown`() throws {
    let address = try address(#""http://h/items","next":{"by":"link"}"#, key: #""http://h/items?token=hunter2""#)
    #expect(address.shown == "http://h/items?…")
  }
}

struct ReachTests {
  private func allowedOrigins(_ url: String, _ others: String = "") throws -> AllowedOrigins {
    AllowedOrigins(try HTTPSourceConfiguration(json: RawJSON(#"{"url":"\#(url)","allowRedirectsTo":[\#(others)]}"#)))
  }

  private func allowed(_ allowedOrigins: AllowedOrigins, _ addresses: [String]) -> [String] {
    addresses.filter { address in WebAddress(address).map(allowedOrigins.allows) ?? false }
  }

  @Test func `only addresses with the same scheme, host and port are home`() throws {
    let allowedOrigins = try allowedOrigins("https://Example.org/{page}?p={size}")
    let home = ["https://example.org/", "https://EXAMPLE.org:443/x?y", "HTTPS://example.org"]
    #expect(allowed(allowedOrigins, home) == home)
    let elsewhere = [
      "http://example.org/", "https://example.org:8443/", "https://www.example.org/", "https://example.org.evil/",
      "https://user@example.org/", "https://evil/@example.org", "ftp://example.org/", "file:///", "x",
    ]
    #expect(allowed(allowedOrigins, elsewhere) == [])
  }

  @Test func `other allowed hosts need the same scheme and aren't home`() throws {
    let allowedOrigins = try allowedOrigins("https://example.org/", #""api.example.org","cdn.example.org:8443""#)
    let others = ["https://api.example.org/x", "https://cdn.example.org:8443/"]
    #expect(allowed(allowedOrigins, others + ["http://api.example.org/", "https://cdn.example.org/"]) == others)
    #expect(others.compactMap { WebAddress($0) }.contains(where: allowedOrigins.isHome) == false)
  }
}
