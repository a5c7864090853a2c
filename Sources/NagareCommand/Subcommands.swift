internal import Reactor
internal import WireJSON

/// The subcommands of `nagare`: its own, and those that other programs provide. `nagare web` runs `nagare-web`.
struct Subcommands {
  /// The subcommands of this program. No other program can replace them.
  static let builtIn = ["check", "schema"]
  private static let prefix = "nagare-"

  /// The folders in which the programs are looked up.
  let folders: ProgramFolders

  /// Whether an argument can be the name of a subcommand: letters and digits, with `-` or `_` between them.
  static func isName(_ word: String) -> Bool {
    let isPlain = { (byte: UInt8) in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default: false
      }
    }
    let dashes: [UInt8] = [UInt8(ascii: "-"), UInt8(ascii: "_")]
    return word.utf8.first.map(isPlain) == true && word.utf8.allSatisfy { isPlain($0) || dashes.contains($0) }
  }

  /// The path of the program that provides a subcommand; nil if there is none.
  func program(of name: String) -> String? { folders.find(Subcommands.prefix + name) }

  /// The error message for a name that isn't a subcommand.
  func reason(against name: String) -> String {
    let others = folders.names(withPrefix: Subcommands.prefix).map { String($0.dropFirst(Subcommands.prefix.count)) }
    return "there is no command '\(name)', and no program '\(Subcommands.prefix)\(name)' in PATH"
      + suggestion(for: name, in: Subcommands.builtIn + others, quote: "'")
  }
}
