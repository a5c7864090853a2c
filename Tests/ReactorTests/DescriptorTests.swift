import Testing

@testable import Reactor

struct DescriptorTests {
  @Test func `a pipe returns its content, then nothing, then its end`() throws {
    let pipe = try Descriptor.pipe()
    #expect(try pipe.reading.hear() == nil)
    #expect(try pipe.writing.say("流れ"))
    #expect(try pipe.reading.hear() == "流れ")
    #expect(try pipe.reading.hear() == nil)
    pipe.writing.close()
    #expect(try pipe.reading.hear() == "")
    pipe.reading.close()
  }

  @Test func `a read fills the buffer and leaves the rest`() throws {
    let pipe = try Descriptor.pipe()
    #expect(try pipe.writing.say("abcde"))
    var buffer: [UInt8] = [0, 0, 0]
    #expect(try pipe.reading.read(into: &buffer) == .bytes(3))
    #expect(buffer == Array("abc".utf8))
    #expect(try pipe.reading.read(into: &buffer) == .bytes(2))
    #expect(buffer == Array("dec".utf8))
    pipe.reading.close()
    pipe.writing.close()
  }

  @Test func `a full pipe accepts a part, then nothing`() throws {
    let pipe = try Descriptor.pipe()
    let bytes = [UInt8](repeating: 1, count: 1 << 21)
    guard case .bytes(let count) = try pipe.writing.write(bytes.span) else {
      Issue.record("nothing was written")
      return
    }
    #expect((1..<bytes.count).contains(count))
    #expect(try pipe.writing.write(bytes.span) == .wouldBlock)
    pipe.reading.close()
    pipe.writing.close()
  }

  @Test func `a closed reader is an error, not a signal`() throws {
    Signals.ignoreFailedWrites()
    let pipe = try Descriptor.pipe()
    pipe.reading.close()
    let error = #expect(throws: SystemError.self) { try pipe.writing.say("x") }
    #expect(error?.description == "can't write: Broken pipe")
    pipe.writing.close()
  }

  @Test func `a pipe never takes a standard stream's number`() throws {
    let pipe = try Descriptor.pipe()
    #expect(pipe.reading.rawValue > 2 && pipe.writing.rawValue > 2)
    #expect(pipe.reading != pipe.writing)
    #expect(!pipe.reading.isTerminal)
    pipe.reading.close()
    pipe.writing.close()
  }

  @Test func `a file can be read at any offset while it grows`() throws {
    let folder = try TemporaryFolder()
    let (end, file) = (try folder.append("a"), try Descriptor.open(folder.file("a")))
    defer {
      end.close()
      file.close()
    }
    #expect(try end.say("hello "))
    #expect(try file.read(at: 0, count: 11) == Array("hello ".utf8))
    #expect(try end.say("world"))
    #expect(try file.read(at: 0, count: 11) == Array("hello world".utf8))
    #expect(try file.read(at: 4, count: 3) == Array("o w".utf8))
    #expect(try file.read(at: 9, count: 100) == Array("ld".utf8))
    #expect(try file.read(at: 11, count: 5) == [])
    #expect(try file.read(at: 100, count: 5) == [])
    #expect(try file.read(at: 0, count: 0) == [])
    #expect(try file.hear() == "hello world")
  }

  @Test func `a file's status has its size, and differs between files and after changes`() throws {
    let folder = try TemporaryFolder()
    let (first, second) = (try folder.append("a"), try folder.append("b"))
    defer {
      first.close()
      second.close()
    }
    #expect(try first.say("abc"))
    let status = try first.status()
    #expect(status.isRegularFile)
    #expect(status.size == 3)
    #expect(try first.status() == status)
    #expect(try second.status() != status)
    #expect(try first.say("d"))
    #expect(try first.status() != status)
  }

  @Test func `a pipe isn't a regular file and has no size`() throws {
    let pipe = try Descriptor.pipe()
    #expect(try pipe.writing.say("abc"))
    #expect(try !pipe.reading.status().isRegularFile)
    #expect(try pipe.reading.status().size == 0)
    #expect(throws: SystemError.self) { try pipe.reading.read(at: 0, count: 1) }
    pipe.reading.close()
    pipe.writing.close()
  }

  @Test func `the error of a file that can't be opened has its path and the reason`() {
    let missing = #expect(throws: SystemError.self) { try Descriptor.open("/nowhere/mails.jsonl") }
    #expect(missing?.description == "can't open /nowhere/mails.jsonl: No such file or directory")
    #expect(missing?.operation == "open /nowhere/mails.jsonl")
    // `/dev/null` exists on every system, and isn't a folder.
    let noFolder = #expect(throws: SystemError.self) { try Descriptor.open("/dev/null/mails.jsonl") }
    #expect(noFolder?.description == "can't open /dev/null/mails.jsonl: Not a directory")
    #expect(missing != noFolder)
  }

  @Test func `using a closed descriptor is an error`() {
    let closed = Descriptor(rawValue: 100_000)
    #expect(throws: SystemError.self) { try closed.hear() }
    #expect(throws: SystemError.self) { try closed.say("x") }
    #expect(throws: SystemError.self) { try closed.read(at: 0, count: 1) }
    let error = #expect(throws: SystemError.self) { try closed.status() }
    #expect(error?.reason == "Bad file descriptor")
    #expect(throws: SystemError.self) { try closed.duplicate() }
    #expect(!closed.isTerminal)
  }

  @Test func `a duplicate is another descriptor of the same file`() throws {
    let pipe = try Descriptor.pipe()
    let twin = try pipe.writing.duplicate()
    #expect(twin != pipe.writing)
    pipe.writing.close()
    #expect(try twin.say("x"))
    #expect(try pipe.reading.hear() == "x")
    twin.close()
    #expect(try pipe.reading.hear() == "")
    pipe.reading.close()
  }
}
