import Paging
import Randomness
import WireJSON

/// The fixed settings of a random day: the source's capabilities, and how the list is shown.
struct RandomDaySettings {
  /// How the source reports its changes.
  enum Reports: CaseIterable {
    /// It doesn't: the list isn't watched.
    case never
    /// Each change leads from one state to the next, and pages have states.
    case withStates
    /// Changes have no states. Requests and changes are answered in order.
    case withoutStates
  }

  let pageSize: Int
  let onRefresh: OnRefresh
  let onArrival: OnArrival
  let reports: Reports
  /// Whether the source orders its rows by their rank.
  let isOrdered: Bool
  /// Whether the first page is in the middle of the rows.
  let startsInMiddle: Bool
  /// Whether a key is a number of rows, at which other rows may be later, rather than a place between two rows.
  let hasOffsetKeys: Bool
  let tellsTotal: Bool
  let isTotalExact: Bool
  let writes: [EditKind]
  let hasMarks: Bool
  let window: WindowSettings?
  /// Whether pages have a `previous` key. Without it, only later pages can be requested.
  let namesPrevious: Bool
  let prefetch: Int
  /// The initial number of rows.
  let rowCount: Int

  var isLive: Bool { reports != .never }
  var hasPositions: Bool { window?.hasPositions ?? false }

  init(using random: inout SplitMix64) {
    func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }
    pageSize = Int.random(in: 1...7, using: &random)
    onRefresh = [.clear, .keep, .revalidate].randomElement(using: &random) ?? .keep
    onArrival = chance(70) ? .show : chance(50) ? .defer : .ask
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
    // A page around an item may be anywhere, so pages need a `previous` key.
    namesPrevious = window?.findsItems == true || chance(60)
    startsInMiddle = window?.hasPositions != true && namesPrevious && chance(25)
    hasOffsetKeys = reports == .never && chance(50)
  }

  /// Creates the list. All tests of random days use this function.
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
