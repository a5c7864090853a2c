import Flow
import Testing

@testable import Reactor

/// A shell script in a child process, and its output.
private final class Script {
  let loop: EventLoop
  let child: ChildProcess
  private(set) var output = ""
  private(set) var errors = ""
  private(set) var end: ChildProcess.End?
  private var condition: (Script) -> Bool = { _ in false }

  init(_ text: String, in folder: String = "") throws {
    loop = try EventLoop()
    child = try ChildProcess(["sh", "-c", text], in: folder, on: loop)
    child.onOutput = { [unowned self] in
      output += Script.text($0)
      check()
    }
    child.onErrorOutput = { [unowned self] in
      errors += Script.text($0)
      check()
    }
    child.onEnd = { [unowned self] in
      end = $0
      check()
    }
  }

  private static func text(_ bytes: Span<UInt8>) -> String {
    String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
  }

  /// Runs the loop until a condition holds, with a generous time limit.
  func run(until condition: @escaping (Script) -> Bool) {
    self.condition = condition
    let patience = loop.schedule(after: .seconds(30)) { [loop] in
      Issue.record("it takes too long")
      loop.stop()
    }
    if !condition(self) { loop.run() }
    patience.dispose()
  }

  /// Runs the loop to the end of the script.
  func runToEnd() -> ChildProcess.End? {
    run { $0.end != nil }
    return end
  }

  func check() { if condition(self) { loop.stop() } }
}

struct ChildProcessTests {
  @Test func `a program's output is passed on, and then its exit status`() throws {
    let script = try Script("echo out; echo err >&2; exit 3")
    #expect(script.runToEnd() == .exit(status: 3))
    #expect(script.output == "out\n")
    #expect(script.errors == "err\n")
    #expect(script.child.end?.description == "exit status 3")
  }

  @Test func `a signal that ends a program is reported`() throws {
    let script = try Script("kill -9 $$")
    #expect(script.runToEnd() == .signal(9))
    #expect(script.end?.description == "signal 9 (Killed)")
  }

  @Test func `a program reads its input and writes its output`() throws {
    let script = try Script("read -r line; echo \"<$line>\"")
    #expect(script.child.write(Array("流れ\n".utf8).span) == 7)
    #expect(script.runToEnd() == .exit(status: 0))
    #expect(script.output == "<流れ>\n")
  }

  @Test func `more than the pipe holds is written as the program reads`() throws {
    let script = try Script("head -c 1000000 | wc -c; cat > /dev/null")
    let bytes = [UInt8](repeating: 120, count: 1_000_000)
    var written = script.child.write(bytes.span)
    #expect((1..<bytes.count).contains(written))
    script.child.onWritable = { written += script.child.write(bytes.span.extracting(written...)) }
    script.run { !$0.output.isEmpty }
    #expect(written == bytes.count)
    #expect(script.output.filter(\.isNumber) == "1000000")
  }

  @Test func `a program runs in its folder, with our environment`() throws {
    let script = try Script("pwd -P; echo \"$PATH\"", in: "/")
    let path = try Script("pwd -P; echo \"$PATH\"", in: "")
    _ = (script.runToEnd(), path.runToEnd())
    #expect(script.output.hasPrefix("/\n"))
    #expect(script.output.split(separator: "\n").last == path.output.split(separator: "\n").last)
    #expect(script.output.contains("bin"))
  }

  @Test func `a program leads its own process group`() throws {
    let script = try Script("read -r line")
    #expect(processGroup(of: script.child.processID) == script.child.processID)
    script.child.terminate()
    #expect(script.runToEnd() != nil)
  }

  @Test(arguments: [false, true])
  func `a program gets no descriptors of ours, inherited ones included`(isGiven: Bool) throws {
    let pipe = try Descriptor.pipe()
    if isGiven { pipe.writing.outliveExec() }
    let script = try Script("[ -e /dev/fd/\(pipe.writing.rawValue) ] && echo open; [ -e /dev/fd/2 ] && echo two")
    _ = script.runToEnd()
    #expect(script.output == "two\n")
    pipe.reading.close()
    pipe.writing.close()
  }

  @Test func `signals that we ignore end a program as usual`() throws {
    Signals.ignoreFailedWrites()
    #expect(try Script("kill -PIPE $$; echo alive").runToEnd() == .signal(13))
  }

  @Test func `the error of a program that can't be started has its name and the reason`() throws {
    let loop = try EventLoop()
    func failure(_ command: String...) -> SystemError? {
      #expect(throws: SystemError.self) { try ChildProcess(command, on: loop) }
    }
    #expect(failure("nagare-nowhere", "x")?.description == "can't start nagare-nowhere: No such file or directory")
    #expect(failure("/nowhere/rows")?.description == "can't start /nowhere/rows: No such file or directory")
    #expect(failure("/etc/passwd")?.description == "can't start /etc/passwd: Permission denied")
    #expect(failure("")?.isTransient == false)
    #expect(failure()?.isTransient == false)
  }

  @Test func `a program that is terminated ends by SIGTERM`() throws {
    let script = try Script("echo ready; exec sleep 600")
    script.run { !$0.output.isEmpty }
    script.child.terminate()
    #expect(script.child.write([1, 2].span) == 0)
    #expect(script.runToEnd() == .signal(15))
  }

  @Test(arguments: ["exec 1>&-; exec sleep 600", "exec 0<&-; exec sleep 600"])
  func `a program that closes a side of the conversation is terminated`(text: String) throws {
    #expect(try Script(text).runToEnd() == .signal(15))
  }

  @Test func `lookForEnd finds the end of a program whose output another process keeps open`() throws {
    let script = try Script("sleep 600 & exit 5")
    var look: any Disposable = AnyDisposable()
    func lookAgain() {
      script.child.lookForEnd()
      look = script.loop.schedule(after: .milliseconds(1), lookAgain)
    }
    lookAgain()
    #expect(script.runToEnd() == .exit(status: 5))
    look.dispose()
  }

  @Test func `while reading is paused only the output at the end arrives`() throws {
    let script = try Script("echo a; read -r line; echo b; echo said >&2; read -r line")
    script.run { !$0.output.isEmpty }
    script.child.isReadingPaused = true
    _ = script.child.write([UInt8(ascii: "\n")].span)
    script.run { !$0.errors.isEmpty }
    #expect(script.output == "a\n")
    script.child.terminate()
    #expect(script.runToEnd() != nil)
    #expect(script.output == "a\nb\n")
  }

  @Test func `endAll ends several programs together`() throws {
    let scripts = try (0..<3).map { _ in try Script("exec sleep 600") }
    ChildProcess.endAll(scripts.map(\.child))
    #expect(scripts.map(\.child.end) == [.signal(15), .signal(15), .signal(15)])
  }

  @Test func `a program whose object was deallocated is gone after others are started`() throws {
    let number = try Script("exec sleep 600").child.processID
    for _ in 0..<200 where CurrentProcess.lives(number) { _ = try Script("").runToEnd() }
    #expect(!CurrentProcess.lives(number))
  }
}
