package import WireJSON

/// How the next page is found.
package enum Paging: Hashable, Sendable {
  /// Pages are numbered. The first page has the number `first`.
  case page(first: Int)
  /// A page is named by the number of items before it, plus `first`.
  case offset(first: Int)
  /// The answer has a cursor for the next page at `path`, and a cursor for the previous page at `previous`. If the
  /// value at `more` is false, there is no next page.
  case cursor(path: [String], previous: [String]?, more: [String]?)
  /// The answer has the next page's address at `path`, and the previous page's at `previous`. Without a path, the
  /// header `Link` has both (RFC 8288).
  case link(path: [String]?, previous: [String]?)
  /// There is only one page.
  case single
}

/// The field `next` of the configuration.
package struct NextPage: Record, Sendable {
  /// How pages are named: by a number, an offset, a cursor or an address.
  package enum Method: String, JSONStringEnum, Sendable {
    case page, offset, cursor, link
  }

  /// How pages are named.
  package let by: Method
  /// The number of the first page or of the first item.
  package let first: Int?
  /// The path in the answer of the next page's cursor or address.
  package let path: [String]?
  /// The path in the answer of the previous page's cursor or address.
  package let previous: [String]?
  /// The path in the answer of the value that is false on the last page.
  package let more: [String]?

  /// The fields in JSON.
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

  /// How the next page is found, by these settings and their defaults.
  package var paging: Paging {
    switch by {
    case .page: .page(first: first ?? 1)
    case .offset: .offset(first: first ?? 0)
    case .cursor: .cursor(path: path ?? [], previous: previous, more: more)
    case .link: .link(path: path, previous: previous)
    }
  }
}

/// The location in an answer of the total number of items.
package struct TotalLocation: Record, Hashable, Sendable {
  /// The path of the number in the answer's body.
  package let path: [String]?
  /// The name of the answer's header with the number.
  package let header: String?

  /// The fields in JSON.
  package static let fields = Fields(
    TotalLocation.init,
    Field("path", \.path, "The path of fields to it in the response."),
    Field("header", \.header, "The header of the response that has it."))
}
