internal import Flow
internal import Reactor

/// The Python kit, whose program `nagare-source-sql` reads tables. It prints the configuration that serves a table.
struct TableKit {
  private static let program = "nagare-source-sql"
  /// The bytes of the largest configuration.
  private static let longestOutput = 16 << 20

  /// The program and its first arguments.
  let command: [String]
  /// The time that the kit has. A database on another computer may take some seconds.
  var patience = Duration.seconds(30)
  /// The program in messages.
  private var name: String { command.joined(separator: " ") }

  /// Finds the kit: next to this program, in `PATH`, or in the checkout that this program was built in.
  static func find() throws(ConfigurationError) -> TableKit {
    if let path = ProgramFolders.ownAndPath.find(program) { return TableKit(command: [path]) }
    if let sources = sourcesInCheckout(above: CurrentProcess.folder) {
      let others = CurrentProcess.environment("PYTHONPATH").map { $0.isEmpty ? "" : ":\($0)" } ?? ""
      // The programs of the printed configuration need it, too.
      CurrentProcess.setEnvironment("PYTHONPATH", to: sources + others)
      return TableKit(command: ["python3", "-m", "nagare_source"])
    }
    throw ConfigurationError(
      description: """
        nagare: tables need the Python kit, but its program \(program) is neither next to nagare nor in PATH. \
        Run `make packages` in a checkout of Nagare, and then `pipx install dist/nagare-….whl`, \
        or `pip install dist/nagare-….whl` in a virtual environment. Or run the nagare of a checkout
        """)
  }

  /// Returns the folder of the kit's Python sources in the checkout that contains a folder.
  private static func sourcesInCheckout(above folder: String) -> String? {
    var folder = folder[...]
    while let slash = folder.lastIndex(of: "/") {
      folder = folder[..<slash]
      let sources = "\(folder)/clients/source-python/src"
      if FileStatus(of: "\(sources)/nagare_source") != nil { return sources }
    }
    return nil
  }

  /// Returns the configuration that serves a table. The kit's standard error goes to this program's.
  ///
  /// - Parameters:
  ///   - options: the options for the table.
  ///   - loop: the loop that watches the kit. It doesn't run otherwise.
  /// - Returns: the configuration.
  /// - Throws: the reason why the kit printed no configuration.
  func configuration(for options: [String], on loop: EventLoop) throws(ConfigurationError) -> Configuration {
    let output = try run(options + ["--configuration"], on: loop)
    return try ConfigurationFile(output, path: "the configuration of \(name)").configuration
  }

  /// Runs the kit, and returns its standard output.
  func run(_ options: [String], on loop: EventLoop) throws(ConfigurationError) -> [UInt8] {
    let kit: ChildProcess
    do throws(SystemError) {
      kit = try ChildProcess(command + options, with: .session, on: loop)
    } catch {
      throw ConfigurationError(description: "nagare: \(error); tables need Python 3 and the kit")
    }
    var output: [UInt8] = []
    var (end, fault): (ChildProcess.End?, String?)
    kit.onHangUp = {}
    kit.onOutput = { bytes in
      if output.count + bytes.count > TableKit.longestOutput {
        fault = "has printed more than \(TableKit.longestOutput) bytes"
        kit.kill()
      } else {
        for index in bytes.indices { output.append(bytes[index]) }
      }
    }
    var (hasExplained, isOld) = (false, false)
    kit.onErrorOutput = { bytes in
      let text = bytes.indices.map { bytes[$0] }
      // The words of Python's argparse for an unknown option.
      (hasExplained, isOld) = (true, isOld || String(decoding: text, as: UTF8.self).contains("unrecognized arguments"))
      CurrentProcess.writeError(text)
    }
    kit.onEnd = {
      end = $0
      loop.stop()
    }
    kit.endInput()
    let timer = loop.schedule(after: patience) {
      fault = "hasn't ended after \(patience.components.seconds) seconds"
      kit.kill()
    }
    Signals.onTermination(loop, timeout: 1) {
      kit.kill()
      CurrentProcess.exit(.success)
    }
    loop.run()
    timer.dispose()
    (kit.onOutput, kit.onErrorOutput, kit.onEnd) = ({ _ in }, { _ in }, { _ in })
    if let fault { throw ConfigurationError(description: "nagare: \(name) \(fault), and was stopped") }
    // The kit has printed what is wrong. Python's programs exit with 2 if their options are wrong.
    if hasExplained, end == .exit(status: 78) || end == .exit(status: 2) && !isOld {
      CurrentProcess.exit(.configuration)
    }
    guard end == .exit(status: 0) else {
      throw ConfigurationError(description: failure(end, isOld: isOld))
    }
    return output
  }

  /// Describes a failed run. The kit has printed its own message before.
  private func failure(_ end: ChildProcess.End?, isOld: Bool) -> String {
    let remedy = isOld ? "; it is older than this nagare: install the newest one, which `make packages` makes" : ""
    return "nagare: \(name) has failed with \(end.map { "\($0)" } ?? "no status")\(remedy)"
  }
}
