/// Runs cases within one process and prints what they came to, one name, tab and number a line.
///
///     Benchmarks [NAME…]           times the cases whose names begin so
///     Benchmarks --count [NAME…]   runs each once, to be counted; the number is that of its repetitions
@main
enum Main {
  static let cases = Streams.cases

  static func main() {
    let words = CommandLine.arguments.dropFirst()
    let isCounting = words.first == "--count"
    let names = isCounting ? words.dropFirst() : words
    for measured in cases where names.isEmpty || names.contains(where: measured.name.hasPrefix) {
      if isCounting { measured.count() }
      print(measured.name, isCounting ? Double(measured.countedRepetitions) : measured.time(), separator: "\t")
    }
  }
}
