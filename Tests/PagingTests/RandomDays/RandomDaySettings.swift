import Paging
import Randomness
import WireJSON

/// What is fixed for a whole random day: what the source can do, and how the list is shown.
struct RandomDaySettings {
  /// How the source reports its changes.
  enum Reports: CaseIterable {
    /// Not at all: the list isn't followed.
    case never
    /// Each change leads from one state to the next, and pages have states.
    case withStates
    /// Changes have no states: requests and changes are answered in their order.
    case withoutStates
  }

  let pageSize: Int
  let onRefresh: OnRefresh
  let onArrival: OnArrival
  let reports: Reports
  /// Whether the source places its rows by their rank.
  let isOrdered: Bool
  /// Whether the first page lies in the middle of the rows.
  let startsInMiddle: Bool
  /// Whether a page's key is a number of rows, which other rows come to stand at, rather than a place between rows.
  let hasOffsetKeys: Bool
  let tellsTotal: Bool
  let isTotalExact: Bool
  let writes: [EditKind]
  let hasMarks: Bool
  let window: WindowSettings?
  /// Whether the source can be asked for a later page only, as one whose pages name no previous one.
  let namesPrevious: Bool
  let prefetch: Int
  /// How many rows there are at first.
  let rowCount: Int

  var isLive: Bool { reports != .never }
  var hasPositions: Bool { window?.hasPositions ?? false }

  init(using random: inout SplitMix64) {
    func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }
    pageSize = Int.random(in: 1...7, using: &random)
    onRefresh = [.clear, .keep, .revalidate].randomElement(using: &random) ?? .keep
    onArrival = chance(70) ? .show : chance(50) ? .hold : .ask
    reports = Reports.allCases.randomElement(using: &random) ?? .never
    isOrdered = chance(25)
    tellsTotal = chance(60)
    isTotalExact = chance(70)
    hasMarks = chance(50)
    prefetch = Int.random(in: 0...2, using: &random)
    rowCount = chance(10) ? Int.random(in: 0...2, using: &random) : Int.random(in: 3...60, using: &random)
    let takesEdits = reports == .never ? 60 : 85
    if chance(takesEdits) {
      writes = chance(50) ? [.insert, .change, .remove, .marked] : [.insert, .change, .remove]
    } else {
      writes = [EditKind.insert, .change, .remove, .marked].filter { _ in chance(40) }
    }
    if chance(50) {
      window = nil
    } else {
      let hasPositions = chance(50)
      window = WindowSettings(
        margin: Int.random(in: 0...6, using: &random), mostItems: Int.random(in: 5...40, using: &random),
        hasPositions: hasPositions, findsItems: chance(50))
    }
    // A page around an item lies anywhere.
    namesPrevious = window?.findsItems == true || chance(60)
    startsInMiddle = window?.hasPositions != true && namesPrevious && chance(25)
    hasOffsetKeys = reports == .never && chance(50)
  }

  /// The list. It is made here alone.
  func makeList() -> Paged<RawJSON> {
    Paged<RawJSON>(
      PagingOptions(pageSize: pageSize, onRefresh: onRefresh, onArrival: onArrival, hasMarks: hasMarks),
      window: window, writes: writes, order: isOrdered ? [RowOrder(by: "rank")] : [])
  }
}

extension RandomDaySettings: CustomStringConvertible {
  var description: String {
    let edits = writes.map(\.rawValue).sorted().joined(separator: "+")
    let held = window.map {
      "window(margin \($0.margin), most \($0.mostItems), positions \($0.hasPositions), around \($0.findsItems))"
    }
    return """
      \(rowCount) rows, pages of \(pageSize), \(held ?? "whole"), reports \(reports), refresh \(onRefresh), \
      arrivals \(onArrival), writes [\(edits)]\(isOrdered ? ", ordered" : "")\(startsInMiddle ? ", from the middle" : "")\
      \(hasOffsetKeys ? ", offsets as keys" : "")\(namesPrevious ? ", names previous" : "")\
      \(tellsTotal ? isTotalExact ? ", total" : ", estimated total" : "")\(hasMarks ? ", marks" : "")
      """
  }
}
