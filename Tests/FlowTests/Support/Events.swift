import Flow

/// The events of a stream during a subscription that ends immediately.
func events<Element>(of stream: Observable<Element>) -> [String] {
  var log: [String] = []
  stream.subscribe { event in
    switch event {
    case .next(let element): log.append("\(element)")
    case .error(let error): log.append("\(error)")
    case .completed: log.append("completed")
    }
  }.dispose()
  return log
}
