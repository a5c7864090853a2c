internal import CLibrary
internal import Flow

/// Reports that a file may have changed. The system's notifications are used if there are any. In addition it polls,
/// because the system doesn't send notifications for all files.
package final class FileWatch {
  /// The interval of polling without notifications from the system.
  private static let pollInterval = Duration.milliseconds(500)
  /// The interval of polling with notifications. Polling is still needed: the folder may have been replaced, or be on
  /// another machine.
  private static let lookInterval = Duration.seconds(2)

  private let path: String
  private let handler: (_ isPoll: Bool) -> Void
  private var poll: ScheduledTimer?
  private var notices: FileNotices?
  private var watch: EventLoop.Watch?

  /// Begins to watch a file. The handler is called when the file may have changed. Its parameter is whether this is
  /// only a poll.
  package init(_ path: String, on loop: EventLoop, _ handler: @escaping (_ isPoll: Bool) -> Void) {
    (self.path, self.handler) = (path, handler)
    notices = FileNotices()
    watch = notices.map { notices in
      loop.watch(notices.descriptor, for: .reading) { [unowned self] _ in
        notices.drain()
        loop.step { look(isPoll: false) }
      }
    }
    poll = loop.timer { [unowned self] in look(isPoll: true) }
    poll?.isInBackground = true
    arm()
  }

  private func look(isPoll: Bool) {
    arm()
    handler(isPoll)
  }

  /// Follows the name again, because it may belong to another file now.
  private func arm() {
    let isTold = notices?.follow(path) ?? false
    poll?.arm(after: isTold ? FileWatch.lookInterval : FileWatch.pollInterval)
  }

  deinit {
    poll?.dispose()
    watch?.cancel()
  }
}

#if canImport(Darwin)
  /// The system's notifications of changes to a file, by an event queue.
  private final class FileNotices {
    let descriptor: Descriptor
    private var file = Descriptor(rawValue: -1)

    init?() {
      let number = kqueue()
      guard number >= 0 else { return nil }
      descriptor = Descriptor(rawValue: number)
      _ = fcntl(number, F_SETFD, FD_CLOEXEC)
    }

    /// Requests notifications for the file that a path names now. Returns whether this is possible.
    func follow(_ path: String) -> Bool {
      let opened = systemOpen(path, O_EVTONLY | O_CLOEXEC)
      guard opened >= 0 else { return false }
      // Closing a file also removes its events.
      file.close()
      file = Descriptor(rawValue: opened)
      let what = UInt32(NOTE_WRITE | NOTE_EXTEND | NOTE_DELETE | NOTE_RENAME | NOTE_ATTRIB)
      var event = unsafe kevent(
        ident: UInt(opened), filter: Int16(EVFILT_VNODE), flags: UInt16(EV_ADD | EV_CLEAR), fflags: what, data: 0,
        udata: nil)
      return unsafe kevent(descriptor.rawValue, &event, 1, nil, 0, nil) == 0
    }

    /// Discards the notifications. It is enough to know that there was one.
    func drain() {
      var (event, now) = (unsafe kevent(), timespec())
      while unsafe kevent(descriptor.rawValue, nil, 0, &event, 1, &now) > 0 {}
    }

    deinit {
      file.close()
      descriptor.close()
    }
  }
#else
  /// The system's notifications of changes to a file and its folder, by inotify.
  private final class FileNotices {
    let descriptor: Descriptor
    /// The watches of the folder and of the file; negative if there is none.
    private var watches: (folder: Int32, file: Int32) = (-1, -1)
    private var buffer = [UInt8](repeating: 0, count: 16 << 10)

    init?() {
      let number = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
      guard number >= 0 else { return nil }
      descriptor = Descriptor(rawValue: number)
    }

    /// Requests notifications for the file that a path names now, and for other files that get this name. Returns
    /// whether this is possible.
    func follow(_ path: String) -> Bool {
      let slash = path.lastIndex(of: "/")
      let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
      watch(folder, for: IN_CREATE | IN_MOVED_TO, &watches.folder)
      watch(path, for: IN_MODIFY | IN_ATTRIB | IN_MOVE_SELF | IN_DELETE_SELF, &watches.file)
      return watches.folder >= 0 && watches.file >= 0
    }

    /// Watches a path. If the path now leads to another file, ends the watch of the previous one.
    private func watch(_ path: String, for events: Int32, _ watch: inout Int32) {
      let number = unsafe inotify_add_watch(descriptor.rawValue, path, UInt32(events))
      if watch >= 0, watch != number { _ = inotify_rm_watch(descriptor.rawValue, watch) }
      watch = number
    }

    /// Discards the notifications. It is enough to know that there was one. Those that arrive meanwhile wait for the
    /// next turn.
    func drain() { _ = try? descriptor.read(into: &buffer) }

    deinit { descriptor.close() }
  }
#endif
