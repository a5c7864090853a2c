internal import Glibc

/// The processor time of this process. Other load on the machine doesn't affect it.
enum ProcessorTime {
  /// The seconds since the start.
  static var now: Double {
    var time = timespec()
    // The call fills this structure.
    unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }
}
