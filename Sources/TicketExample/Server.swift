import Nagare

/// A ticket, as its screen shows it.
struct Ticket: Record, OutputValue, Equatable, Sendable {
  let id: String
  let title: String

  static let fields = Fields(Ticket.init, Field("id", \.id), Field("title", \.title))
}

/// What somebody has said of a ticket.
struct Remark: Record, OutputValue, Identifiable, Equatable, Sendable {
  let id: String
  let text: String

  static let fields = Fields(Remark.init, Field("id", \.id), Field("text", \.text))
}

/// Where tickets come from.
struct Server {
  let ticket: () -> Observable<Ticket>
  let remarks: () -> Observable<[Remark]>
  let add: (_ text: String) -> Observable<Remark>
}
