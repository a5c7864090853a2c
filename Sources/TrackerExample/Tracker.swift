import Nagare

/// The data that all screens share: the sources of issues and comments, and the logged-in user.
struct Tracker {
  let issues: Source<Issue>
  let comments: Source<Comment>
  /// People, by their login token.
  let people: Source<Person>
  let user = BehaviorSubject<Person?>(nil)

  /// Runs work for the logged-in user. It fails if nobody is logged in.
  func asUser<Value>(_ work: (Person) -> Observable<Value>) -> Observable<Value> {
    user.value.map(work) ?? .error(LoadFailure(code: 401, message: "Only who is logged in may do that: see “Account”"))
  }
}

/// An issue as a row of a list. Only the full item has a `body`.
struct Issue: Codable, Identifiable, Equatable {
  enum Kind: String, Codable, CaseIterable { case bug, wish, question }
  enum Status: String, Codable, CaseIterable { case open, done }

  let id: Int
  let title: String
  let kind: Kind
  var status: Status
  let author: String
  let updated: String
  var body: String?
}

/// A comment on an issue.
struct Comment: Codable, Identifiable {
  let id: Int
  let author: String
  let text: String
  let written: String
}

struct Person: Codable, Identifiable, Equatable {
  let id: String
  let name: String
}
