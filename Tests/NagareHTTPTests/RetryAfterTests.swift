import Testing

@testable import NagareHTTP

struct RetryAfterTests {
  @Test(arguments: ["Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"])
  func `a date is read in each format of RFC 9110`(text: String) {
    #expect(HTTPDate.seconds(text) == 784_111_777)
  }

  @Test(arguments: [
    ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Tue, 29 Feb 2000 12:00:00 GMT", 951_825_600),
    ("Wed, 01 Mar 2000 00:00:00 GMT", 951_868_800), ("Sat, 21 Nov 2026 07:16:00 GMT", 1_795_245_360),
    ("Thu, 31 Dec 1998 23:59:60 GMT", 915_148_800), ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
    ("Thursday, 01-Jan-70 00:00:01 GMT", 1), ("Friday, 31-Dec-69 23:59:59 GMT", 3_155_759_999),
  ])
  func `a date is counted from 1970`(text: String, seconds: Int) {
    #expect(HTTPDate.seconds(text) == seconds)
  }

  @Test(arguments: [
    "", "now", "Sun, 06 Nov 1994", "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 06 Foo 1994 08:49:37 GMT",
    "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:00 GMT", "1994-11-06T08:49:37Z",
    "Sun, 06 Nov 99999999999999999999 08:49:37 GMT",
  ])
  func `other texts aren't dates`(text: String) {
    #expect(HTTPDate.seconds(text) == nil)
  }

  @Test(arguments: [
    ("0", Duration.zero), ("120", .seconds(120)), ("Thu, 01 Jan 1970 00:02:00 GMT", .seconds(20)),
    ("Thu, 01 Jan 1970 00:00:00 GMT", .zero),
  ])
  func `the pause is counted from now`(value: String, pause: Duration) {
    #expect(RetryAfter.pause(value, now: 100) == pause)
  }

  @Test(arguments: ["3600", "3601", "3153600000", "99999999999999999999", "Fri, 31 Dec 9999 23:59:59 GMT"])
  func `a pause is an hour at most`(value: String) {
    #expect(RetryAfter.pause(value, now: 100) == .seconds(3600))
  }

  @Test(arguments: ["", "-1", "+1", "soon", "1.5"])
  func `other values aren't pauses`(value: String) {
    #expect(RetryAfter.pause(value, now: 0) == nil)
  }
}
