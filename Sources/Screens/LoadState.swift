internal import Nagare
internal import Paging

/// The value of the `state` output: what made the newest load begin, how far it has come, and how many items there are.
struct LoadState: Record, OutputValue, Equatable {
  let trigger: LoadTrigger
  let phase: LoadPhase
  let count: Int
  let total: Total?
  let progress: LoadProgress?

  static let fields = Fields(
    LoadState.init(trigger:phase:count:total:progress:),
    Field("trigger", \.trigger, "What made the newest load begin."),
    Field("phase", \.phase, "How far it has come."),
    Field("count", \.count, "How many items are listed."),
    Field("total", \.total, "How many items a live source has in all; null where nobody knows."),
    Field("progress", \.progress, "How far the load has come; absent where its source doesn't say."))

  static var schema: JSONSchema {
    JSONSchema(properties: fields.properties).titled("LoadState")
      .described("How far the newest load of a list has come.")
  }
}

extension LoadState {
  init(_ list: Paged<RawJSON>) {
    self.init(
      trigger: list.trigger, phase: list.phase, count: list.count,
      total: list.isLive ? Total(number: list.total) : nil, progress: list.progress)
  }
}
