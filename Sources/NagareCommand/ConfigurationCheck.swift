internal import Flow
internal import Nagare
internal import PageSources
internal import Paging
internal import Reactor
internal import WireJSON

extension ConfigurationFile {
  /// Warnings about files and programs that the sources need and that don't exist, one on each line.
  var warnings: [String] {
    configuration.sources.values.compactMap { name, source in
      source.missing(in: folder).map { "\(path): warning: the source \"\(name)\" needs \($0)".onOneLine }
    }
  }
}

extension SourceConfiguration {
  /// Describes the file or program of the source that doesn't exist; nil if nothing is missing. Relative paths start at
  /// `folder`, which is empty or ends in a slash.
  fileprivate func missing(in folder: String) -> String? {
    switch self {
    case .demo, .client: return nil
    case .file(let file):
      let path = file.path.resolved(in: folder)
      return FileStatus.reasonNotToRead(path).map { "the file \(path): \($0.reason)" }
    case .command(let command):
      let program = command.command.words[0]
      if program.utf8.contains(UInt8(ascii: "/")) {
        let path = program.resolved(in: folder)
        return CurrentProcess.canRun(path) ? nil : "the program \(path), which can't be run"
      }
      return ProgramFolders.path.find(program) == nil ? "the program \(program), which isn't in PATH" : nil
    case .http:
      let program = CurrentProcess.folder + SourceFactory.httpProgram
      return CurrentProcess.canRun(program) ? nil : "the program \(program), which can't be run"
    }
  }
}

/// Requests a page of each source of a configuration, and prints the results.
struct SourceTrial {
  /// The time that a source has.
  private static let patience = Duration.seconds(12)
  /// The most characters of an item that are printed.
  private static let longestItem = 200

  let file: ConfigurationFile
  let loop: EventLoop

  /// Tries the sources, one after the other. Returns whether none of them failed.
  func run() -> Bool {
    let service = Service(clock: loop)
    var factory = SourceFactory(for: service, on: loop)
    factory.triesOnce(within: SourceTrial.patience)
    var isGood = true
    for (name, configuration) in file.configuration.sources.values {
      if case .client = configuration {
        print("\(name.onOneLine): skipped, because the client provides this source")
        continue
      }
      let source = factory.source(name, configuration, in: file.folder)
      let start = ContinuousClock.now
      let result = firstPage(of: source)
      let (seconds, attoseconds) = (ContinuousClock.now - start).components
      let time = "\(seconds * 1000 + attoseconds / 1_000_000_000_000_000) ms"
      if case .failure = result { isGood = false }
      print("\(name): \(describe(result, after: time))".onOneLine)
    }
    CommandSource.endAll(factory.commands)
    return isGood
  }

  /// Runs the loop until the source has returned a page.
  private func firstPage(of source: Source<RawJSON>) -> Result<Page<RawJSON>, LoadFailure> {
    var result: Result<Page<RawJSON>, LoadFailure>?
    let subscription = source.load(PageRequest(size: 20)) { _ in }.subscribe { event in
      switch event {
      // A page without items whose records are all broken can't be listed.
      case .next(let page):
        result = page.items.isEmpty ? page.failures.first.map { .failure($0) } ?? .success(page) : .success(page)
      case .error(let error): result = .failure(LoadFailure(error))
      case .completed: result = result ?? .failure(LoadFailure(.malformedResponse, "the source returned no page"))
      }
      loop.stop()
    }
    while result == nil { loop.run() }
    subscription.dispose()
    return result ?? .failure(LoadFailure(.malformedResponse, "the source returned no page"))
  }

  private func describe(_ result: Result<Page<RawJSON>, LoadFailure>, after time: String) -> String {
    switch result {
    case .failure(let failure): return "failed after \(time): \(failure.message)"
    case .success(let page) where page.items.isEmpty: return "no items, \(time)"
    case .success(let page):
      let item = page.items[0].text
      let shown = item.count > SourceTrial.longestItem ? item.prefix(SourceTrial.longestItem) + "…" : item[...]
      let fault = page.failures.first.map { "; \($0.message)" } ?? ""
      return "first item \(shown), id \(page.items.id(at: 0)), \(time)\(fault)"
    }
  }
}
