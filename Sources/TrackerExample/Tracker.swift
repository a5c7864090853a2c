import Nagare

/// What the screens have in common: where issues and comments are, and who is logged in.
struct Tracker {
  let issues: Source<Issue>
  let comments: Source<Comment>
  /// People by what they log in with.
  let people: Source<Person>
  let user = BehaviorSubject<Person?>(nil)

  /// Does something in the name of who is logged in.
  func asUser<Value>(_ work: (Person) -> Observable<Value>) -> Observable<Value> {
    user.value.map(work) ?? .error(LoadFailure(code: 401, message: "Only who is logged in may do that: see “Account”"))
  }
}

/// An issue as a row of a list; what it is about is there where it is shown whole.
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

/// What somebody has said of an issue.
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
