import Nagare

/// A ticket, as its screen shows it.
struct Ticket: Codable, Equatable, Sendable {
  let id: String
  let title: String
}

/// A comment on a ticket.
struct Remark: Codable, Identifiable, Equatable, Sendable {
  let id: String
  let text: String
}

/// The server that stores the tickets.
struct Server {
  let ticket: () -> Observable<Ticket>
  let remarks: () -> Observable<[Remark]>
  let add: (_ text: String) -> Observable<Remark>
}
