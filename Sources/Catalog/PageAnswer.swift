internal import Flow
internal import RPC
internal import WireJSON

extension Observer<Page> {
  /// Passes on an answer to `source/page`.
  ///
  /// - Parameters:
  ///   - answer: the other side's result or error.
  ///   - source: what the configuration calls the source.
  ///   - id: the member of an item that is its id.
  func take(_ answer: Result<RawJSON, RPCError>, of source: String, id: String) {
    do throws(LoadFailure) {
      onNext(try Page(answer, of: source, id: id))
      onCompleted()
    } catch {
      onError(error)
    }
  }
}

extension Page {
  /// Reads an answer to `source/page`.
  ///
  /// - Parameters:
  ///   - answer: the other side's result or error.
  ///   - source: what the configuration calls the source.
  ///   - id: the member of an item that is its id.
  /// - Throws: the other side's error, or what is wrong with its result.
  init(_ answer: Result<RawJSON, RPCError>, of source: String, id: String) throws(LoadFailure) {
    switch answer {
    case .success(let result): try self.init(result, of: source, id: id)
    case .failure(let error):
      let isRetryable = (error.data as? RawJSON)?.member("retryable")?.bool ?? false
      throw LoadFailure(code: error.code, message: error.message, isRetryable: isRetryable)
    }
  }

  private init(_ result: RawJSON, of source: String, id: String) throws(LoadFailure) {
    func nonsense(_ path: String, _ expected: String, _ found: RawJSON?) -> LoadFailure {
      let found = found.map(\.kind.words) ?? "nothing"
      return LoadFailure(
        .nonsense, "the source \"\(source)\" gave no page: expected \(expected) at \(path), found \(found)")
    }
    guard result.kind == .object else { throw nonsense("result", "an object", result) }
    // A copy of its own lets go of the read buffer that the answer lies in.
    guard let array = result.member("items"), let items = RawItems(arrayOf: RawJSON(copying: array), id: id) else {
      throw nonsense("result.items", "an array", result.member("items"))
    }
    let total = result.member("total")
    if let total, !total.isNull, (total.int ?? -1) < 0 { throw nonsense("result.total", "an integer from 0", total) }
    let next = result.member("next")
    self.init(
      items: items, next: next.flatMap { $0.isNull ? nil : RawJSON(copying: $0) }, total: total?.int,
      faults: items.problems.map { problem in
        LoadFailure(
          .badRecord,
          "the source \"\(source)\": result.items[\(problem.index)]: \(problem.fault(id)); the item was left out")
      })
  }
}

extension RawJSON {
  /// The same value in bytes of its own.
  init(copying value: RawJSON) { self.init(trusting: Array(value.bytes), 0..<value.count) }
}

extension ItemProblem {
  /// What is wrong with an item, in one clause.
  ///
  /// - Parameter key: the member of an item that is its id.
  /// - Returns: the clause.
  func fault(_ key: String) -> String {
    let found: String
    switch reason {
    case .invalid(let error): return error.message
    case .notAnObject: return "an item must be an object"
    case .noID: found = "nothing"
    case .unusableID(let kind): found = kind.words
    }
    return """
      the item has no usable "\(key)", which is named as the id by --id or by the source's id: expected a string or a \
      number, found \(found)
      """
  }
}

extension JSONKind {
  /// The kind with its article: `an array`.
  var words: String {
    switch self {
    case .object: "an object"
    case .array: "an array"
    case .string: "a string"
    case .number: "a number"
    case .bool: "true or false"
    case .null: "null"
    }
  }
}
