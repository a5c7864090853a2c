internal import CLibrary

/// The folders in which programs are looked up by their names, in order.
package struct ProgramFolders {
  /// The folders, each with a slash at its end.
  let folders: [String]

  /// The folders in `PATH`. Empty and relative entries are skipped, because they depend on the working directory.
  package static var path: ProgramFolders {
    let entries = CurrentProcess.environment("PATH") ?? "/bin:/usr/bin"
    return ProgramFolders(entries.split(separator: ":").filter { $0.hasPrefix("/") }.map { "\($0)/" })
  }

  /// The folder of the running program, and then those in `PATH`.
  package static var ownAndPath: ProgramFolders {
    let own = CurrentProcess.folder
    return ProgramFolders((own.isEmpty ? [] : [own]) + path.folders)
  }

  init(_ folders: [String]) { self.folders = folders }

  /// The path of the first program with a name; nil if there is none.
  package func find(_ name: String) -> String? {
    folders.lazy.map { $0 + name }.first { CurrentProcess.canRun($0) }
  }

  /// The names of all programs that begin with a prefix, sorted.
  package func names(withPrefix prefix: String) -> [String] {
    let names = folders.flatMap { folder in
      (entries(of: folder) ?? []).filter { $0.hasPrefix(prefix) && CurrentProcess.canRun(folder + $0) }
    }
    return Set(names).sorted()
  }
}

/// The names in a folder; nil if it can't be read.
func entries(of folder: String) -> [String]? {
  guard let stream = unsafe opendir(folder) else { return nil }
  defer { unsafe closedir(stream) }
  var names: [String] = []
  while let entry = unsafe readdir(stream) {
    // The name is copied, because the next entry overwrites it.
    names.append(
      unsafe withUnsafeBytes(of: entry.pointee.d_name) {
        unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      })
  }
  return names
}

extension CurrentProcess {
  /// Whether a path names a program that this process may run.
  package static func canRun(_ path: String) -> Bool {
    unsafe access(path, X_OK) == 0 && FileStatus(of: path)?.isRegularFile == true
  }

  /// Sets an environment variable, for this process and those that it starts. Only the start of a program may call this,
  /// because other threads may read the environment.
  package static func setEnvironment(_ name: String, to value: String) { unsafe setenv(name, value, 1) }

  /// Becomes another program, with this process's arguments after the first `skipped` ones, byte for byte. It throws if
  /// the program can't be started.
  package static func become(_ program: String, skippingArguments skipped: Int) throws(SystemError) -> Never {
    // The arguments belong to the process and are never changed.
    let count = Int(CommandLine.argc)
    var arguments = unsafe [strdup(program)]
    for index in min(skipped + 1, count)..<count { unsafe arguments.append(CommandLine.unsafeArgv[index]) }
    unsafe arguments.append(nil)
    unsafe execv(program, &arguments)
    throw SystemError("start \(program)")
  }
}
