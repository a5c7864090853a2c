internal import Flow
internal import ItemList
internal import Paging
internal import WireJSON

/// A source that another program provides by answering requests (section 6 of the specification).
protocol RemoteSource: AnyObject {
  /// The name of the source in each request.
  var name: String { get }
  /// The field that is the items' id.
  var id: String { get }
  /// The capabilities of the program.
  var capabilities: SourceCapabilities { get }
  /// The program's watches.
  var watches: SourceWatches { get }
  /// The possible reason for a missing answer, as a clause; nil if none is known.
  var trouble: String? { get }

  /// Sends a request. Disposing of the subscription cancels it.
  func ask<Result>(_ request: SourceRequest<Result>) -> Observable<Result>
}

extension RemoteSource {
  var trouble: String? { nil }
}

extension Source<RawJSON> {
  /// A source that another program provides.
  init(asking remote: some RemoteSource) {
    let (name, id) = (remote.name, remote.id)
    self.init(
      name: name, remote.capabilities,
      load: { remote.ask(SourceRequest(page: $0, of: name, id: id, report: $1)) },
      loadItem: { remote.ask(SourceRequest(item: $0, of: name, id: id)) },
      write: { remote.ask(SourceRequest(making: $0, in: name, id: id)) }, changes: { remote.watches.changes($0) },
      trouble: { remote.trouble }, idMember: id)
  }
}

// MARK: - Requests

extension SourceRequest<Page<RawJSON>> {
  init(page request: PageRequest, of source: String, id: String, report: @escaping (RunReport) -> Void) {
    self.init(
      .page, of: source, params: SourcePageParams(source: source, request).write,
      onProgress: { json in
        // Notifications have no answer, so one that can't be read is ignored.
        if let progress = try? LoadProgress(json: json) { report(.progress(progress)) }
      }
    ) { json throws(LoadFailure) in try Page(json, of: source, id: id, to: request) }
  }
}

extension SourceRequest<RawJSON> {
  init(item: ItemID, of source: String, id key: String) {
    self.init(.item, of: source, params: SourceItemParams(source: source, id: item).write) {
      json throws(LoadFailure) in
      guard let found = json.member("item"), found.kind == .object, found.member(key).flatMap({ ItemID($0) }) == item
      else {
        throw LoadFailure(
          .malformedResponse,
          "the source \"\(source)\" returned no usable item: expected the one whose \"\(key)\" is \(item) at result.item"
        )
      }
      return RawJSON(copying: found)
    }
  }
}

extension SourceRequest<EditResult> {
  /// Requests an edit.
  init(making edit: Edit<RawJSON>, in source: String, id key: String) {
    self.init(edit.method, of: source, params: { edit.write(source: source, to: &$0) }) { json in
      switch edit {
      case .insert, .update: EditResult(json, of: source, edit.method, id: key)
      case .remove, .marked: EditResult()
      }
    }
  }
}

extension EditResult {
  /// Reads the result of `source/insert` or `source/change`. Any result means that the source made the edit.
  fileprivate init(_ json: RawJSON, of source: String, _ method: SourceMethod, id key: String) {
    self.init()
    guard json.kind == .object else { return }
    func unusable(_ member: String, _ expected: String, _ found: RawJSON) -> LoadFailure {
      LoadFailure(
        .badRecord,
        "the source \"\(source)\" made the edit, but its answer to \(method.name) can't be used: expected \(expected) at "
          + "result.\(member), found \(found.kind.words)")
    }
    if let found = json.member("item"), !found.isNull {
      item = ItemList.Item(found, id: key)
      if item == nil { failure = unusable("item", "an object with a string or a number at \"\(key)\"", found) }
    } else if let found = json.member("id"), !found.isNull {
      id = ItemID(found)
      if id == nil { failure = unusable("id", "a string or a number", found) }
    }
  }
}
