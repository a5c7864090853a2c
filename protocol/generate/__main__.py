"""Generates files: the clients' types, the words for displays, and copied modules.

The types come from protocol/openrpc.json, and the words from clients/behaviour/display_words.json.

    python3 protocol/generate          writes the files, and prints the names of those that changed
    python3 protocol/generate --check  writes nothing, and fails if a file is out of date
"""

from __future__ import annotations

import sys

import copies
import display_words
import javascript
import model
import python
import swift


def main() -> int:
    read = model.load()
    files = {
        python.TYPES_PATH: python.types(read),
        python.VIEW_MODELS_PATH: python.view_models(read),
        python.CODES_PATH: python.codes(read),
        javascript.PATH: javascript.generate(read),
        javascript.CODES_PATH: javascript.codes(read),
        swift.PATH: swift.generate(read),
        swift.VALUES_PATH: swift.values(read),
        **copies.files(),
        **display_words.generate(),
    }
    stale = []
    for path, text in files.items():
        file = model.ROOT / path
        if file.exists() and file.read_text(encoding="utf-8") == text:
            continue
        stale.append(path)
        if "--check" not in sys.argv[1:]:
            file.write_text(text, encoding="utf-8")
    for path in stale:
        print(path)
    if stale and "--check" in sys.argv[1:]:
        print("are out of date: run `make generate`", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
