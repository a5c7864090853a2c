/// Runs cases within one process, and prints one result per line, as name, tab and number.
///
/// - `Benchmarks [NAME…]` measures the time of the cases whose names begin with a NAME.
/// - `Benchmarks --count [NAME…]` runs each case once, so that its instructions can be counted. It prints the number of
///   repetitions.
/// - `Benchmarks --memory` prints the bytes per item of a list, without the item's own bytes.
/// - `Benchmarks --memory-still` prints the bytes of a list of 1,000,000 items.
/// - `Benchmarks --memory-live` prints the same for a list whose source reports changes.
/// - `Benchmarks --memory-marks` prints the bytes of marks on all of 10,000,000 rows, with 1,000 exceptions.
@main
enum Main {
  static func main() {
    let words = CommandLine.arguments.dropFirst()
    if words.first == "--memory" { return print("memory.item", Memory.bytesAnItem(), separator: "\t") }
    if words.first == "--memory-still" { return print("memory.still", Memory.ofList(isLive: false), separator: "\t") }
    if words.first == "--memory-live" { return print("memory.live", Memory.ofList(isLive: true), separator: "\t") }
    if words.first == "--memory-marks" { return print("memory.marks", Memory.ofMarks(), separator: "\t") }
    let isCounting = words.first == "--count"
    let names = isCounting ? words.dropFirst() : words
    // Under a profiler everything takes fifty times as long.
    let sessions = Sessions.cases(longest: isCounting ? 100_000 : 1_000_000)
    let edits = Edits.cases(most: isCounting ? 10_000 : 100_000)
    let changes = Changes.cases(longest: isCounting ? 100_000 : 1_000_000)
    let lists = Lists.cases(longest: isCounting ? 20_000 : 400_000)
    let small = Streams.cases + ByHand.cases + Feedbacks.cases + Texts.cases + Records.cases
    for measured in small + lists + edits + changes + sessions + Windows.cases
    where names.isEmpty || names.contains(where: measured.name.hasPrefix) {
      if isCounting { measured.count() }
      print(measured.name, isCounting ? Double(measured.countedRepetitions) : measured.time(), separator: "\t")
    }
  }
}
