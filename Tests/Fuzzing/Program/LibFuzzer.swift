#if LIBFUZZER
  internal import Fuzzing

  // Functions that libFuzzer calls. Its command line names a folder, whose name is the name of a target. Inputs that
  // reach new code are kept in the folder. The target's own inputs are put there first.

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

  /// Runs one input. Ends the process if it has a finding.
  @_cdecl("LLVMFuzzerTestOneInput")
  public func test(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    // libFuzzer lends these bytes for the duration of the call.
    let input = unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
    do throws(Finding) {
      try target?.check(input)
      return 0
    } catch {
      // libFuzzer recognizes a finding by the end of the process. It then keeps the input, and prints its path.
      fatalError("\(error)")
    }
  }
#endif
