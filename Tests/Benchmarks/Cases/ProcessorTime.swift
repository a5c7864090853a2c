internal import Glibc

/// The time that a processor has worked for this process: what else the machine does is left out of it.
enum ProcessorTime {
  /// Seconds since the start.
  static var now: Double {
    var time = timespec()
    // The call fills the structure that it is lent.
    unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }
}
