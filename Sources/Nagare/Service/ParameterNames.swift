internal import WireJSON

/// The names of a method's parameters. They find the parameters of a call that the method doesn't have.
final class ParameterNames: Sendable {
  /// The parameters that every input has.
  static let ofEveryInput = ParameterNames(["view", "wait"])

  let all: [String]
  /// The names in a form that is compared faster; nil if the names don't fit.
  private let words: MemberNames?

  init(_ names: [String]) {
    all = names
    words = MemberNames(fitting: names)
  }

  /// The parameters in a call that the method doesn't have. Nearly every call has none, which is found out in one pass.
  func unknown(in params: RawJSON) -> [WireText] {
    if let words, let scan = MemberScan(of: params, words), !scan.hasOthers { return [] }
    return params.unknownMembers(besides: all)
  }
}

/// The parameters of a call that every input has.
struct InputParameters {
  private static let names = MemberNames("view", "wait")

  let view: RawJSON?
  let wait: RawJSON?
  /// Whether the call has other parameters, too.
  let hasOthers: Bool

  init(_ params: RawJSON?) {
    guard let params, let scan = MemberScan(of: params, InputParameters.names) else {
      (view, wait, hasOthers) = (nil, nil, false)
      return
    }
    func member(_ index: Int) -> RawJSON? {
      scan[index].map { RawJSON(trusting: params.storage, params.start + $0.lowerBound..<params.start + $0.upperBound) }
    }
    (view, wait, hasOthers) = (member(0), member(1), scan.hasOthers)
  }
}

extension MemberScan {
  /// Finds fields of an object. Nil is only for the compiler, because the object was already checked.
  fileprivate init?(of object: RawJSON, _ names: MemberNames) {
    do throws(JSONError) {
      self = try MemberScan(object.storage.span.extracting(object.range), names, maxDepth: .max)
    } catch {
      return nil
    }
  }
}
