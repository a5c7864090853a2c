import Nagare
import NagareTesting
import Testing

@testable import ArticlesExample

/// Fixes what the screen sends. `Tests/Process/test_articles_example.py` replays the file against the program.
struct TranscriptTests {
  @Test func `an article that isn't listed can't be opened`() {
    let service = Service(clock: VirtualScheduler())
    service.add(Screen { Articles { _ in .never() } })
    let transcript = Transcript("An article that isn't listed can't be opened.", of: service)
    transcript.call("initialize", ["protocolVersion": "1", "capabilities": ["deltas": true].json])
    transcript.call("screens")
    transcript.call("open", ["screen": "articles", "view": "v"])
    transcript.call("select", ["id": "1.0"])
    transcript.comment("no page was loaded, so there is none to follow")
    transcript.call("reachBottom")
    transcript.advance(by: .seconds(1))
    transcript.send("[")
    transcript.expect(file: "Transcripts/refusals.txt")
  }
}
