import Nagare
import PageSources

@main enum Main {
  static func main() {
    Service.stdio(usage: "[DATABASE]") { service, loop in
      let database = service.arguments.first ?? "tracker.db"
      let program = ["python3", "\(#filePath.dropLast("Main.swift".count))tracker.py", database]
      let newest = [RowOrder(by: "updated", descending: true), RowOrder(by: "id", descending: true)]
      let tracker = Tracker(
        issues: Source(command: program, name: "issues", order: newest, on: loop),
        comments: Source(command: program, name: "comments", order: [.init(by: "id")], on: loop),
        people: Source(command: program, name: "people", live: false, on: loop))
      service.add(Screen { Issues(tracker: tracker) })
      service.add(Screen { Report(tracker: tracker) })
      service.add(Screen { Account(tracker: tracker) })
      service.add(Screen("issue", parameter: "id") { id in IssueScreen(id: id, tracker: tracker) })
    }
  }
}
