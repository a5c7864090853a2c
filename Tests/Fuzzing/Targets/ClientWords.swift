/// Messages of a client, right and wrong.
enum ClientWords {
  /// Sources that the client answers for, with arbitrary pages, failures and edits.
  static let configuration = #"""
    {
      "sources": {"mine": {"type": "client", "writes": ["insert", "remove"]}, "other": {"type": "client"}},
      "stores": {"shopSearch": {"query": "ramen"}},
      "screens": {
        "items": {"viewModel": "list", "source": "mine", "pageSize": 3, "detail": "detail"},
        "sure": {"viewModel": "list", "source": "mine", "prefetch": 2, "onRefresh": "keep", "confirmRemoval": "Sure?"},
        "shops": {"viewModel": "list", "source": "other", "query": {"store": "shopSearch.query"}, "detail": "detail"},
        "find": {"viewModel": "search", "source": "other", "detail": "detail"},
        "genres": {"viewModel": "choice", "choices": ["a", {"id": "b"}], "store": "shopSearch.query"},
        "offers": {"viewModel": "feed", "source": "other"},
        "detail": {"viewModel": "pager"},
        "profile": {"viewModel": "task", "tasks": [
          {"input": "rename", "output": "name", "task": {"kind": "prompt", "title": "Name"}},
          {"input": "logout", "output": "loggedIn", "task": {"kind": "confirm", "title": "Out?"}, "initial": true},
          {"input": "pickImage", "output": "image", "task": {"kind": "choose", "title": "E", "choices": ["x", {"id": 2}]}}
        ]}
      }
    }
    """#

  static let capabilities = [true, false].flatMap { deltas in
    [#"["mine","other"]"#, #"["mine"]"#].map { sources in
      #"{"protocolVersion":"1","capabilities":{"deltas":\#(deltas),"present":true,"sources":\#(sources)}}"#
    }
  }

  static let parameters = [
    "", "", "", #","params":{"pageSize":2}"#, #","params":{"query":"a"}"#, #","params":{"throttle":0,"prefetch":1}"#,
    #","params":{"onRefresh":"keep"}"#, #","params":{"debounce":0}"#, #","params":{"pageSize":0}"#, #","params":7"#,
  ]

  static let times = ["0", "1", "199", "200", "300", "999", "1000", "2600", "31000", "100000", "-1", "0.5", "1e400"]

  static let inputs = [
    "viewWillAppear", "viewWillAppear", "reachBottom", "reachBottom", "loadMore", "refresh", "refresh", "retry",
    "change",
    "select", "select", "reachTop", "viewport", "insert", "insert", "remove", "remove", "swipe", "swipe", "search",
    "cancelSearch", "choose", "rename", "logout", "pickImage", "nonsense",
  ]

  /// Parameters of inputs other than the view.
  static let members: [String: [String]] = {
    let ids = ["\"mail-1\"", "\"mail-2\"", "\"mail-20\"", "\"a\"", "\"b\"", "\"c\"", "1", "1.0", "\"x\"", "null"]
    let id = ids.map { #","id":\#($0)"# }
    let item =
      ids.flatMap { [#","item":{"id":\#($0),"title":"t"}"#, #","item":{"id":\#($0)}"#] } + [#","item":7"#, ""]
    return [
      "change": item, "select": id, "remove": id, "choose": id + [#","id":"ramen""#, #","id":"curry""#],
      "insert": item + item.flatMap { item in ids.map { #"\#(item),"before":\#($0)"# } },
      "swipe": id + [#","to":"next""#, #","to":"previous""#, #","to":"up""#, ""],
      "viewport": [(0, 5), (0, 1), (15, 20), (2, 3), (9, 1), (-1, 0)].map { #","start":\#($0.0),"end":\#($0.1)"# },
      "search": ["", "a", "mail", "b"].map { #","text":"\#($0)""# } + [#","text":7"#],
    ]
  }()

  static let actions = [
    #"{"type":"selectQuery","value":"curry"}"#, #"{"type":"shopSearch.query","value":"sushi"}"#, #"{"type":"none"}"#,
    #"{"type":"shopSearch.query"}"#, #"{"type":"shopSearch.query","value":7}"#, "7",
  ]

  /// Responses to requests for pages and edits.
  static let pages = [
    #""result":{"items":[{"id":"a"},{"id":"b"},{"id":"c"}],"next":1}"#, #""result":{"items":[{"id":"d"}],"next":null}"#,
    #""result":{"items":[{"id":"b","new":1},{"id":"e"},{"id":1}],"next":"k","previous":"p"}"#,
    #""result":{"items":[]}"#,
    #""result":{"items":[{"id":"a"},{"id":"\u0061"},{"id":1.0},{"id":null},7],"next":{}}"#, #""result":{}"#,
    #""result":7"#, #""error":{"code":7,"message":"no"}"#, #""error":{"message":"no","data":{"retryable":true}}"#,
    #""error":{"code":9,"message":"locked","data":{"retryable":true}}"#, #""error":null"#,
  ]

  /// Responses to tasks.
  static let outcomes = [
    #""result":{"outcome":"completed","value":"Mei"}"#, #""result":{"outcome":"completed","value":true}"#,
    #""result":{"outcome":"completed"}"#, #""result":{"outcome":"cancelled"}"#, #""result":{"outcome":"else"}"#,
    #""result":{"outcome":"completed","value":2}"#, #""result":{"outcome":"completed","value":{"id":"x"}}"#,
    #""error":{"code":7,"message":"no"}"#, #""result":[]"#,
  ]

  /// Messages that have no matching request.
  static let broken = [
    "{", "7", "[]", #"{"jsonrpc":"2.0","id":99,"result":{}}"#, #"{"jsonrpc":"2.0","method":"$/cancelRequest"}"#,
    #"[{"jsonrpc":"2.0","method":"refresh"},{"jsonrpc":"2.0","method":"refresh","params":{"view":"v"}}]"#,
    #"{"jsonrpc":"2.0","method":"ping","params":[1]}"#,
  ]

  /// A long id. Its response fills the ready output, so that later outputs wait in the queue.
  static let long = String(repeating: "x", count: 66_000)
}
