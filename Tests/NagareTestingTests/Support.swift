import Synchronization
import Testing

/// A location that no test has, so that issues can be recognized by it.
let there = SourceLocation(fileID: "Tests/There.swift", filePath: "/There.swift", line: 7, column: 3)

/// Runs a test that may have issues at `there`, and returns their texts. Issues elsewhere fail the test that calls it.
func issues(_ body: () throws -> Void) rethrows -> [String] {
  let texts = Mutex<[String]>([])
  try withKnownIssue(isIntermittent: true) {
    try body()
  } matching: { issue in
    guard issue.sourceLocation == there else { return false }
    texts.withLock { $0 += issue.comments.map(\.rawValue) }
    return true
  }
  return texts.withLock { $0 }
}
