import Testing
import WireJSON
import ItemList
@testable import Paging
@Suite struct ScratchTests {
  @Test func scratch() {
    var run = LiveRun("abcdefgh", isOrdered: false, onRefresh: .keep, mostKept: 1200, window: WindowSettings(margin: 1, mostItems: 5, hasPositions: true, findsItems: true))
    for event in [.see(6), .remove("b"), .hear, .read, .come, .read, .come, .rest, .insert("d", before: nil), .hear, .remove("h"), .edit(.insert("b", before: "d"))] as [LiveRun.Event] {
      if run.canPerform(event) { run.perform(event) }
      print(event, run.dump)
    }
    for _ in 0..<40 {
      guard let event = ([.watch, .hear, .make, .answer, .read, .come, .rest] as [LiveRun.Event]).first(where: run.canPerform) else { break }
      run.perform(event); print(event, run.dump)
    }
    for s in [0,2,4,6] { run.perform(.see(s)); print("see",s,run.dump)
    for _ in 0..<40 {
      guard let event = ([.watch, .hear, .make, .answer, .read, .come, .rest] as [LiveRun.Event]).first(where: run.canPerform) else { break }
      run.perform(event); print(event, run.dump)
    } }
  }
}
extension LiveRun {
  var dump: String { 
    let l = list.edits.list
    func t(_ s: SparseList) -> String { s.runs(in: 0..<s.count).map { r in switch r { case .rows(let x): s.rows.items(in: x).map { $0.json.member("id")?.string ?? "?" }.joined(); case .unread(let n): String(repeating: "-", count: n) } }.joined() }
    return "source \(source.rows.map { String($0.id) }.joined()) rows \(t(l.live!.value.shown.all)) shown \(t(list.shown.list)) H \(list.shown.window!) asked \(list.edits.list.running.map{"\($0.place)"} ?? "-")" }
}
