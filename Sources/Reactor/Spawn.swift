// The environment is a variable of the C library. To the compiler, any thread may change it; this package never does.
#if canImport(Glibc)
  @unsafe @preconcurrency internal import Glibc
#elseif canImport(Musl)
  @unsafe @preconcurrency internal import Musl
#else
  internal import Darwin
#endif

/// The pipes to a program to be started.
struct Pipes {
  typealias Pipe = (reading: Descriptor, writing: Descriptor)

  let input: Pipe
  let output: Pipe
  let errors: Pipe

  /// Makes the pipes. The program's ends block, as programs expect of standard streams.
  init() throws(SystemError) {
    var made: [Pipe] = []
    do throws(SystemError) {
      for _ in 0..<3 { made.append(try Descriptor.pipe()) }
    } catch {
      for end in made.flatMap({ [$0.reading, $0.writing] }) { end.close() }
      throw error
    }
    (input, output, errors) = (made[0], made[1], made[2])
    for end in theirs { end.setNonBlocking(false) }
  }

  /// The program's ends, in the order of its standard streams.
  var theirs: [Descriptor] { [input.reading, output.writing, errors.writing] }

  func closeTheirs() { for end in theirs { end.close() } }

  func closeOurs() { for end in [input.writing, output.reading, errors.reading] { end.close() } }
}

#if os(iOS)
  /// Throws, because iOS apps can't start programs.
  func spawn(
    _ command: [String], in folder: String, with bounds: ChildProcess.Bounds, _ streams: [Descriptor]
  ) throws(SystemError) -> Int {
    throw SystemError("start \(command.first ?? "a program")", code: ENOTSUP)
  }
#else
  /// Starts a program as the leader of its own process group or session. It has default signal handling and no open
  /// descriptors except its standard streams. If `folder` is empty, it runs in this process's folder. Returns the
  /// process number.
  func spawn(
    _ command: [String], in folder: String, with bounds: ChildProcess.Bounds, _ streams: [Descriptor]
  ) throws(SystemError) -> Int {
    let operation = "start \(command.first ?? "a program without a name")"
    guard let program = command.first, !program.isEmpty else { throw SystemError(operation, code: ENOENT) }
    // If the parent process ignores this signal, the ends of our children would be lost.
    _ = signal(SIGCHLD, SIG_DFL)
    #if canImport(Darwin)
      var (actions, attributes): (posix_spawn_file_actions_t?, posix_spawnattr_t?) = (nil, nil)
    #else
      var (actions, attributes) = unsafe (posix_spawn_file_actions_t(), posix_spawnattr_t())
    #endif
    // These pointers refer to local variables, which outlive the calls.
    unsafe posix_spawn_file_actions_init(&actions)
    unsafe posix_spawnattr_init(&attributes)
    defer {
      unsafe posix_spawn_file_actions_destroy(&actions)
      unsafe posix_spawnattr_destroy(&attributes)
    }
    for (number, stream) in streams.enumerated() {
      unsafe posix_spawn_file_actions_adddup2(&actions, stream.rawValue, Int32(number))
    }
    #if canImport(Darwin)
      let newSession = POSIX_SPAWN_SETSID
    #else
      // Both C libraries of Linux support it. glibc's header declares it only for programs that enable GNU extensions.
      let newSession: Int32 = 0x80
    #endif
    var flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK
    // The leader of a session already leads a group, which can't be changed.
    flags |= bounds == .session ? newSession : POSIX_SPAWN_SETPGROUP
    #if canImport(Darwin)
      flags |= POSIX_SPAWN_CLOEXEC_DEFAULT
      if !folder.isEmpty { unsafe posix_spawn_file_actions_addchdir_np(&actions, folder) }
    #else
      withholdDescriptors()
      if !folder.isEmpty { _ = unsafe addChangeOfFolder(&actions, folder) }
    #endif
    unsafe posix_spawnattr_setflags(&attributes, Int16(flags))
    unsafe posix_spawnattr_setpgroup(&attributes, 0)
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe posix_spawnattr_setsigmask(&attributes, &signals)
    unsafe sigfillset(&signals)
    unsafe posix_spawnattr_setsigdefault(&attributes, &signals)

    var arguments = unsafe command.map { unsafe strdup($0) } + [nil]
    defer { unsafe arguments.forEach { unsafe free($0) } }
    var processID: pid_t = 0
    let code = unsafe posix_spawnp(&processID, program, &actions, &attributes, &arguments, environment)
    if code == 0 { return Int(processID) }
    // The system doesn't report whether the folder or the program is missing.
    if !folder.isEmpty, let reason = reasonNotToEnter(folder) {
      throw SystemError("enter the folder \(folder) to \(operation)", code: reason)
    }
    throw SystemError(operation, code: code)
  }

  /// The error number that prevents this process from entering a folder; nil if it can enter it.
  private func reasonNotToEnter(_ folder: String) -> Int32? {
    guard let stream = unsafe opendir(folder) else { return errno }
    unsafe closedir(stream)
    return unsafe access(folder, X_OK) == 0 ? nil : errno
  }

  #if !canImport(Darwin)
    // Every C library of Linux has it. glibc's header declares it only for programs that enable GNU extensions, which
    // Swift doesn't. Pointers and numbers are passed the same way by C and by Swift.
    @_silgen_name("posix_spawn_file_actions_addchdir_np")
    private func addChangeOfFolder(
      _ actions: UnsafeMutablePointer<posix_spawn_file_actions_t>, _ path: UnsafePointer<CChar>
    ) -> Int32

    /// Keeps descriptors that this process was started with from started programs: some gateways leave the connection
    /// to the client among them. This process's own descriptors are never inherited. Inherited ones have low numbers.
    private func withholdDescriptors() {
      // Lists the open descriptors, which the C library has no function for. Without /proc all numbers are tried.
      guard let names = entries(of: "/proc/self/fd") else {
        for number in Int32(3)..<65536 where fcntl(number, F_GETFD) == 0 { _ = fcntl(number, F_SETFD, FD_CLOEXEC) }
        return
      }
      for number in names.compactMap({ Int32($0) }) where number > 2 { _ = fcntl(number, F_SETFD, FD_CLOEXEC) }
    }
  #endif

  private var environment: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? {
    #if canImport(Darwin)
      unsafe _NSGetEnviron().pointee
    #else
      unsafe environ
    #endif
  }
#endif

/// Sends a signal to a process group.
func signalGroup(_ leader: Int, _ number: Int32) { _ = systemKill(-pid_t(leader), number) }

/// Reaps the leader of a group or session, if it has ended, and kills the remaining processes. The leader is a child of
/// this process. Returns how it ended; nil while it runs.
func reap(_ leader: Int, _ bounds: ChildProcess.Bounds) -> ChildProcess.End? {
  var found = unsafe siginfo_t()
  var status: Int32 = 0
  // Checks without reaping the leader. Until it is reaped, no other group can have its number.
  while unsafe waitid(P_PID, id_t(leader), &found, WEXITED | WNOWAIT | WNOHANG) != 0 {
    guard errno == EINTR else { return .exit(status: 0) }
  }
  guard unsafe found.si_signo != 0 else { return nil }
  signalGroup(leader, SIGKILL)
  if bounds == .session { killSession(leader) }
  while unsafe waitpid(pid_t(leader), &status, 0) < 0, errno == EINTR {}
  let signal = Int(status & 0x7F)
  return signal == 0 ? .exit(status: Int(status >> 8 & 0xFF)) : .signal(signal)
}

/// Kills the processes of a session except its leader.
private func killSession(_ leader: Int) {
  #if os(Linux)
    // No system call signals a session. Without /proc only the leader's process group is killed, as on other systems.
    for number in entries(of: "/proc")?.compactMap({ pid_t($0) }) ?? []
    where number != pid_t(leader) && getsid(number) == pid_t(leader) {
      _ = systemKill(number, SIGKILL)
    }
  #endif
}

/// Calls a closure on a new thread when a child process has ended. It doesn't reap the process.
func awaitEnd(of processID: Int, _ ended: @escaping @Sendable () -> Void) {
  // If the thread can't be started, the end is noticed by the end of the output, as for other programs.
  _ = startThread {
    pthread_detach(pthread_self())
    var found = unsafe siginfo_t()
    while unsafe waitid(P_PID, id_t(processID), &found, WEXITED | WNOWAIT) != 0, errno == EINTR {}
    ended()
  }
}

/// The system's name of a signal.
func signalName(_ number: Int) -> String? {
  guard let number = Int32(exactly: number), let name = unsafe strsignal(number) else { return nil }
  // The system returns a C string that is valid until the next call. Only one thread calls it.
  return unsafe String(cString: name)
}
