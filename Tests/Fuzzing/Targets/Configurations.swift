internal import NagareCommand
internal import WireJSON

/// Valid configurations, and the words in them.
enum Configurations {
  static let good = [
    #"{"screens":{"p":{"viewModel":"pager"}}}"#, Configuration.demo.json.indented, sources, screens,
  ]

  private static let sources = #"""
    {
      "$schema": "c.json",
      "sources": {
        "mail": {"type": "file", "path": "mail.jsonl", "id": "key"},
        "mine": {"type": "client", "writes": ["insert", "remove"]},
        "rows": {"type": "command", "command": ["python3", "rows.py", ""], "id": "row", "writes": []},
        "web": {"type": "http", "url": "https://example.com/a?page={page}&per={size}&q={query}", "items": ["data"],
          "headers": {"Accept": "text/x", "X-Key": {"env": "KEY", "prefix": "Bearer "}}}
      },
      "screens": {
        "inbox": {"viewModel": "list", "source": "mail", "pageSize": 7, "throttle": 0, "onRefresh": "keep", "detail": "one"},
        "plain": {"viewModel": "list", "source": "mine", "prefetch": 3, "confirmRemoval": "Sure?", "query": "a"},
        "find": {"viewModel": "search", "source": "web", "debounce": 100, "query": "b"},
        "one": {"viewModel": "pager"}
      }
    }
    """#

  private static let screens = #"""
    {
      "sources": {"some": {"type": "demo", "data": "offers"}},
      "stores": {"search": {"query": "ramen", "area": null}, "view": {"floor": 1, "on": true, "at": {}, "of": []}},
      "screens": {
        "genres": {"viewModel": "choice", "choices": ["ramen", {"id": "curry"}], "action": "select", "store": "search.query"},
        "floors": {"viewModel": "choice", "choices": [{"id": 1}], "store": "view.floor"},
        "shops": {"viewModel": "list", "source": "some", "query": {"store": "search.query"}},
        "offers": {"viewModel": "feed", "source": "some", "pageSize": 5},
        "profile": {"viewModel": "task", "tasks": [
          {"input": "a", "output": "b", "task": {"kind": "alert", "title": "A"}, "initial": [1.50], "completed": null},
          {"input": "c", "output": "d", "task": {"kind": "scan", "any": {"thing": 1}}},
          {"input": "e", "output": "f", "task": {"kind": "choose", "title": "E", "choices": ["x", {"id": 2}]}},
          {"input": "g", "output": "名", "task": {"kind": "prompt", "title": "G", "message": "m", "text": "t"}},
          {"input": "i", "output": "a", "task": {"kind": "login"}, "completed": 7}
        ]}
      }
    }
    """#

  static let words = [
    #""sources""#, #""stores""#, #""screens""#, #""type""#, #""viewModel""#, #""list""#, #""pager""#, #""search""#,
    #""choice""#, #""task""#, #""feed""#, #""demo""#, #""file""#, #""client""#, #""command""#, #""http""#, #""source""#,
    #""pageSize""#, #""throttle""#, #""detail""#, #""query""#, #""store""#, #""search.query""#, #""url""#, #""next""#,
    #""paging""#, #""id""#, #""writes""#, #""tasks""#, #""kind""#, #""input""#, #""output""#, #""choices""#, #""mine""#,
    #""one""#, #""some""#, "{}", "[]", "null", "true", "0", "1", "-1", "1.0", "99999", "{", "}", "[", "]", ",", ":",
    "\"",
    "\\", "\n", " ", "é", "🙂", "\\n", "\\ud800", #""x": 1,"#, #""insert""#, "{page}", "{", "https://", "{size", "}}",
  ]
}
