package import WireJSON

/// How a server tells where the next page is.
package enum Paging: Hashable, Sendable {
  /// Pages are numbered from `first` on.
  case page(first: Int)
  /// A page is named by how many items stand before it, counted from `first`.
  case offset(first: Int)
  /// The answer has the next page's name at `path`, and that of the page before at `previous`; `more`, if it is false, says
  /// that there is no next page.
  case cursor(path: [String], previous: [String]?, more: [String]?)
  /// The answer has the next page's address at `path`, and that of the page before at `previous`; without a path the
  /// header `Link` has both (RFC 8288).
  case link(path: [String]?, previous: [String]?)
  /// There is one page.
  case single
}

/// The configuration's member `next`.
package struct NextPage: Record, Sendable {
  /// How a next page is named.
  package enum Method: String, JSONStringEnum, Sendable {
    case page, offset, cursor, link
  }

  /// How the server names the next page.
  package let by: Method
  /// The first page's number, or the first item's.
  package let first: Int?
  /// Where in the answer the cursor of the next page is, or its address.
  package let path: [String]?
  /// Where in the answer the cursor of the page before is, or its address.
  package let previous: [String]?
  /// Where in the answer it says whether there is a next page.
  package let more: [String]?

  /// Its members.
  package static let fields = Fields(
    NextPage.init,
    Field(
      "by", \.by, "How the server identifies pages: by number, by offset, by a cursor, or by an address."),
    Field("first", \.first, "The number of the first page (by default 1), or of the first item (by default 0).")
      .limited(to: 0...1_000_000),
    Field(
      "path", \.path, "The path of fields to the cursor or the address. An address may be in the header Link instead."),
    Field("previous", \.previous, "The path of fields to the cursor or the address of the previous page."),
    Field("more", \.more, "The path of fields to the Boolean for whether there are more pages."))

  /// What it comes to.
  package var paging: Paging {
    switch by {
    case .page: .page(first: first ?? 1)
    case .offset: .offset(first: first ?? 0)
    case .cursor: .cursor(path: path ?? [], previous: previous, more: more)
    case .link: .link(path: path, previous: previous)
    }
  }
}

/// Where a server says how many items there are in all.
package struct TotalLocation: Record, Hashable, Sendable {
  /// The members that lead to it in the answer.
  package let path: [String]?
  /// The header that has it.
  package let header: String?

  /// Its members.
  package static let fields = Fields(
    TotalLocation.init,
    Field("path", \.path, "The path of fields to it in the response."),
    Field("header", \.header, "The header of the response that has it."))
}
