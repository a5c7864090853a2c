internal import CLibrary

// Functions of the C library whose names are also names of our methods: inside those methods the plain name would refer
// to the method.

func systemOpen(_ path: String, _ flags: Int32) -> Int32 { unsafe open(path, flags) }

/// Creates a file for its owner to read and write. An existing file isn't touched.
func systemCreate(_ path: String) -> Int32 { unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600) }

let systemClose: @Sendable (Int32) -> Int32 = close
let systemRead: @Sendable (Int32, UnsafeMutableRawPointer?, Int) -> Int = unsafe read
let systemWrite: @Sendable (Int32, UnsafeRawPointer?, Int) -> Int = unsafe write
let systemPipe: @Sendable (UnsafeMutablePointer<Int32>?) -> Int32 = unsafe pipe
let systemPoll: @Sendable (UnsafeMutablePointer<pollfd>?, nfds_t, Int32) -> Int32 = unsafe poll
let systemExit: @Sendable (Int32) -> Never = exit
let systemKill: @Sendable (pid_t, Int32) -> Int32 = kill
