internal import Nagare
internal import Paging

/// The value of the output `state`: the trigger, phase and progress of the newest load, and the number of items.
struct LoadState: Record, OutputValue, Equatable {
  let trigger: LoadTrigger
  let phase: LoadPhase
  let count: Int
  let total: Total?
  let progress: LoadProgress?

  static let fields = Fields(
    LoadState.init(trigger:phase:count:total:progress:),
    Field("trigger", \.trigger, "The input that started the newest load."),
    Field("phase", \.phase, "The phase of the load."),
    Field("count", \.count, "The number of listed items."),
    Field("total", \.total, "The total number of items of a live source; null if it isn't known."),
    Field("progress", \.progress, "The progress of the load; absent if the source doesn't report any."))

  static var schema: JSONSchema {
    JSONSchema(properties: fields.properties).titled("LoadState")
      .described("The state of a list's newest load.")
  }
}

extension LoadState {
  init(_ list: Paged<RawJSON>) {
    self.init(
      trigger: list.trigger, phase: list.phase, count: list.count,
      total: list.isLive ? Total(number: list.total) : nil, progress: list.progress)
  }
}
