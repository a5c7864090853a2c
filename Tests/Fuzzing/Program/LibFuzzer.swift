#if LIBFUZZER
  internal import Fuzzing

  // What libFuzzer calls. Its command line names a folder: the target of that name is fed, what reaches anything new is
  // kept there, and the target's own inputs are put there first.

  private let folder = CommandLine.arguments.dropFirst().first { !$0.hasPrefix("-") } ?? ""
  private let target = FuzzTarget(folder.split(separator: "/").last.map(String.init) ?? "")

  /// Puts the target's own inputs into its folder.
  @_cdecl("LLVMFuzzerInitialize")
  public func initialize(_ count: UnsafeMutablePointer<CInt>, _ words: UnsafeRawPointer) -> CInt {
    guard let target else {
      print("no target has the name of the folder '\(folder)'")
      fail(64)
    }
    for (number, seed) in target.seeds.enumerated() { InputFile("\(folder)/seed-\(number)").hold(seed) }
    let words = target.words.map { word in
      "\"" + word.map { "\\x" + String(0x100 + Int($0), radix: 16).dropFirst() }.joined() + "\"\n"
    }
    InputFile("\(folder).dict").hold(Array(("# words\n" + words.joined()).utf8))
    return 0
  }

  /// Runs one input; ends the process if it finds anything.
  @_cdecl("LLVMFuzzerTestOneInput")
  public func test(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    // libFuzzer lends so many bytes for the time of the call.
    let input = unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
    do throws(Finding) {
      try target?.check(input)
      return 0
    } catch {
      // A process that dies is how libFuzzer learns of a finding: it keeps the input, and prints where it is.
      fatalError("\(error)")
    }
  }
#endif
