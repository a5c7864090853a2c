internal import CLibrary
internal import Flow

/// Tells that something may have happened to a file: as soon as the system says so, and now and then in any case, for it
/// doesn't say so of every file, nor to everybody.
package final class FileWatch {
  /// How long it may take to be noticed where the system says nothing.
  private static let pollInterval = Duration.milliseconds(500)
  /// How long where it does: a folder may have gone and come back, or lie on another machine.
  private static let lookInterval = Duration.seconds(2)

  private let path: String
  private let handler: (_ isPoll: Bool) -> Void
  private var poll: ScheduledTimer?
  private var notices: FileNotices?
  private var watch: EventLoop.Watch?

  /// Begins to look. The handler is called when something may have happened, and told whether that is just because time
  /// has passed.
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

  /// Another file may have the name by now.
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
  /// What the system says of a file: a queue of events.
  private final class FileNotices {
    let descriptor: Descriptor
    private var file = Descriptor(rawValue: -1)

    init?() {
      let number = kqueue()
      guard number >= 0 else { return nil }
      descriptor = Descriptor(rawValue: number)
      _ = fcntl(number, F_SETFD, FD_CLOEXEC)
    }

    /// Has the system say what happens to the file that has a name now, if it can.
    func follow(_ path: String) -> Bool {
      let opened = systemOpen(path, O_EVTONLY | O_CLOEXEC)
      guard opened >= 0 else { return false }
      // Closing a file takes its events back.
      file.close()
      file = Descriptor(rawValue: opened)
      let what = UInt32(NOTE_WRITE | NOTE_EXTEND | NOTE_DELETE | NOTE_RENAME | NOTE_ATTRIB)
      var event = unsafe kevent(
        ident: UInt(opened), filter: Int16(EVFILT_VNODE), flags: UInt16(EV_ADD | EV_CLEAR), fflags: what, data: 0,
        udata: nil)
      return unsafe kevent(descriptor.rawValue, &event, 1, nil, 0, nil) == 0
    }

    /// Takes out what was said: it is enough to know that something was.
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
  /// What the system says of a file and its folder, by inotify.
  private final class FileNotices {
    let descriptor: Descriptor
    /// The watches of the folder and of the file; negative where there is none.
    private var watches: (folder: Int32, file: Int32) = (-1, -1)
    private var buffer = [UInt8](repeating: 0, count: 16 << 10)

    init?() {
      let number = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
      guard number >= 0 else { return nil }
      descriptor = Descriptor(rawValue: number)
    }

    /// Has the system say what happens to the file that has a name now, and which file gets the name, if it can.
    func follow(_ path: String) -> Bool {
      let slash = path.lastIndex(of: "/")
      let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
      watch(folder, for: IN_CREATE | IN_MOVED_TO, &watches.folder)
      watch(path, for: IN_MODIFY | IN_ATTRIB | IN_MOVE_SELF | IN_DELETE_SELF, &watches.file)
      return watches.folder >= 0 && watches.file >= 0
    }

    /// A name that leads elsewhere now gives up what it led to.
    private func watch(_ path: String, for events: Int32, _ watch: inout Int32) {
      let number = unsafe inotify_add_watch(descriptor.rawValue, path, UInt32(events))
      if watch >= 0, watch != number { _ = inotify_rm_watch(descriptor.rawValue, watch) }
      watch = number
    }

    /// Takes out what was said: it is enough to know that something was. What comes meanwhile waits for the next turn.
    func drain() { _ = try? descriptor.read(into: &buffer) }

    deinit { descriptor.close() }
  }
#endif
