"""The escapes of `raw -->` and `framed -->`: bytes that a plain line can't hold, and repetition."""

from __future__ import annotations

import re

_TOKEN = re.compile(
    r"\\x(?P<hex>[0-9a-fA-F]{2})|\\(?P<char>[rnt\\])|\\\((?P<count>\d+)\*(?P<text>[^)]*)\)|\\(?P<bad>.?)"
)
_CHARACTERS = {"r": b"\r", "n": b"\n", "t": b"\t", "\\": b"\\"}


def expand(text: str) -> bytes:
    r"""`\xff`, `\r`, `\n`, `\t` and `\\` are bytes; `\(600*[)` is `[` six hundred times."""
    result = bytearray()
    start = 0
    for token in _TOKEN.finditer(text):
        result += text[start : token.start()].encode()
        start = token.end()
        if token["hex"]:
            result.append(int(token["hex"], 16))
        elif token["char"]:
            result += _CHARACTERS[token["char"]]
        elif token["count"]:
            result += token["text"].encode() * int(token["count"])
        else:
            raise ValueError(f"no such escape: \\{token['bad']}")
    return bytes(result + text[start:].encode())
