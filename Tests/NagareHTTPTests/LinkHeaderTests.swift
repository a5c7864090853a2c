import Testing

@testable import NagareHTTP

struct LinkHeaderTests {
  @Test(arguments: [
    ("<https://h/?page=2>; rel=\"next\"", "https://h/?page=2"),
    ("<https://h/?page=2>; rel=next", "https://h/?page=2"),
    ("<https://h/1>; rel=\"prev\", <https://h/3>; rel=\"next\"", "https://h/3"),
    ("<https://h/1>;rel=prev,<https://h/3>;rel=next", "https://h/3"),
    ("<https://h/?a=1,2;3>; rel=\"next\"", "https://h/?a=1,2;3"),
    ("<https://h/1>; title=\"a, <b>; rel=next\"; rel=\"last\", <https://h/2>; rel=\"next\"", "https://h/2"),
    ("<https://h/1>; title=\"\\\", <b>\"; rel=next", "https://h/1"),
    ("<https://h/2>; rel=\"last NEXT\"", "https://h/2"),
    ("<https://h/2> ; REL = \"Next\"", "https://h/2"),
    ("<?page=2>; rel=next", "?page=2"),
    ("<>; rel=next", ""),
    ("</1>; rel=\"prev\"; rel=\"next\", </2>; rel=\"next\"", "/2"),
    ("</1>; rel=\"next\", </2>; rel=\"next\"", "/1"),
  ])
  func `the next link is found`(header: String, target: String) {
    #expect(LinkHeader.target(of: "next", in: header) == target)
  }

  @Test(arguments: [
    "", ",", "<", "<https://h/", "https://h/; rel=next", "<https://h/>", "<https://h/>; rel", "<https://h/>; rel=",
    "<https://h/>; rel=\"", "<https://h/>; rel=\"nextpage\"", "<https://h/>; rel=\"prev\"",
    "<https://h/>; title=\"rel=next",
    "<https://h/>, rel=next", "<https://h/>;;;=;=\"", ">; rel=next",
  ])
  func `other links aren't the next link`(header: String) {
    #expect(LinkHeader.target(of: "next", in: header) == nil)
  }
}
