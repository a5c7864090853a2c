import Flow
import LetterPages
import Nagare
import Paging
import Randomness

@testable import Screens

/// A source that answers immediately, late, out of order, wrongly or never. It reports its actions.
final class ChaoticSource {
  private let clock: VirtualScheduler
  private var random: SplitMix64
  /// The number of loads that somebody waits for.
  private(set) var running = 0
  /// Whether two loads ever ran at once.
  private(set) var hasOverlapped = false
  /// Whether it answers every load immediately with a page from now on.
  var isTame = false
  /// Called for each load, with its number and request.
  var began: (Int, PageRequest) -> Void = { _, _ in }
  /// Called for each page that somebody still waited for, with the load's number, its request, and the letters.
  var answered: (Int, PageRequest, String) -> Void = { _, _, _ in }
  /// Called for each answered edit that somebody still waited for, with whether it was refused.
  var decided: (Edit<RawJSON>, _ isRefused: Bool) -> Void = { _, _ in }
  private var loads = 0

  init(seed: Int, clock: VirtualScheduler) {
    self.clock = clock
    random = SplitMix64(seed: seed)
  }

  func load(_ request: PageRequest) -> Observable<Page<RawJSON>> {
    let answer = Observable<Page<RawJSON>>.create { [self] observer in
      loads += 1
      let number = loads
      running += 1
      hasOverlapped = hasOverlapped || running > 1
      began(number, request)
      var isAwaited = true
      let letters = String((0..<Int.random(in: 0...4, using: &random)).map { _ in letter() })
      let page = page(letters, next: key("n"), previous: key("p"))
      let kind = isTame ? 0 : Int.random(in: 0..<8, using: &random)
      let isDeaf = Bool.random(using: &random)
      let tell = { [self] in
        if isAwaited, kind < 5 { answered(number, request, letters) }
        switch kind {
        case 0..<5: observer.onNext(page)
        case 5, 6: observer.onError(broken)
        default: observer.onCompleted()
        }
      }
      let timer = later(tell, unless: kind == 7 && Bool.random(using: &random))
      return AnyDisposable { [self] in
        isAwaited = false
        running -= 1
        // A deaf load continues to send after it was disposed of.
        if !isDeaf { timer?.dispose() }
      }
    }
    return answer.timeout(.seconds(30), other: .error(broken), on: clock)
  }

  func write(_ edit: Edit<RawJSON>) -> Observable<Void> {
    .create { [self] observer in
      let isRefused = !isTame && Bool.random(using: &random)
      let tell = { [self] in
        decided(edit, isRefused)
        if isRefused { observer.onError(broken) } else { observer.onCompleted() }
      }
      _ = later(tell, unless: false)
      return AnyDisposable.empty
    }
  }

  /// Does something immediately, later or never.
  private func later(_ action: @escaping () -> Void, unless never: Bool) -> (any Disposable)? {
    if never, !isTame { return nil }
    if isTame || Bool.random(using: &random) {
      action()
      return nil
    }
    return clock.schedule(after: .milliseconds(Int.random(in: 0...2500, using: &random)), action)
  }

  private func letter() -> Character { "abcdefABCDEF".randomElement(using: &random) ?? "a" }

  private func key(_ kind: String) -> String? {
    Bool.random(using: &random) ? "\(kind)\(Int.random(in: 0...9, using: &random))" : nil
  }
}
