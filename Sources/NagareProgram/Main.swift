internal import NagareCommand

@main
enum Main {
  static func main() { Program.main() }
}
