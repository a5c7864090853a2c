"""Finds the texts that people read: prose in documents and comments, names of tests, and messages of the programs."""

from __future__ import annotations

import ast
import io
import re
import subprocess
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CODE = re.compile(r"``[^`]*``|`[^`]*`|<[^<>\n]*>|https?://\S+|\{[^{}]*\}")
LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
END_OF_SENTENCE = re.compile(r"(?<=[.!?])[\"')*_]*\s+(?=[A-Z0-9`\"(*])|\n\s*\n|\n(?=\s*[-*|#@]|\s*\d+\.\s)")
STRING = re.compile(r'"""\n(?P<lines>.*?)"""|"(?P<line>(?:\\.|[^"\\])*?)"', re.DOTALL)


@dataclass(frozen=True)
class Text:
    """A sentence, a name or a message, with the place where it is written."""

    file: str
    line: int
    words: str


def tracked(*patterns: str) -> list[Path]:
    """Returns the files of the repository that match."""
    listed = subprocess.run(["git", "ls-files", "-z", *patterns], cwd=ROOT, capture_output=True, check=True, text=True)
    return [ROOT / name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()]


def sentences_in(path: Path) -> Iterator[Text]:
    """Yields the sentences of a document, or of the comments of a source file."""
    name = str(path.relative_to(ROOT))
    for line, block in blocks_in(path, path.read_text(encoding="utf-8")):
        start = 0
        for end in [*END_OF_SENTENCE.finditer(block), None]:
            piece = block[start : end.start() if end else len(block)]
            words = CODE.sub("X", LINK.sub(r"\1", " ".join(piece.split())))
            if len(words.split()) >= 4:
                yield Text(name, line + block.count("\n", 0, start), words)
            start = end.end() if end else start


def blocks_in(path: Path, text: str) -> Iterator[tuple[int, str]]:
    """Yields the blocks of prose in a file, with their first lines."""
    if path.suffix == ".md":
        text = re.sub(r"^ {0,3}```.*?^ {0,3}```", lambda code: "\n" * code[0].count("\n"), text, flags=re.M | re.S)
        text = re.sub(r"^(?: {4}|\t).*$", "", text, flags=re.M)
        yield 1, re.sub(r"(?<=\S) *\| *", "\n\n", text).replace("|", "")
    elif path.suffix == ".txt":
        yield from comment_blocks(text, re.compile(r"#+ (?!rules:)(.*)"))
    elif path.suffix == ".py":
        yield from python_blocks(text)
    else:
        text = re.sub(r"^\s*/// ```.*?^\s*/// ```", lambda code: "\n" * code[0].count("\n"), text, flags=re.M | re.S)
        yield from comment_blocks(text, re.compile(r"\s*(?:///? ?|/\*+ ?|\* ?)(.*)"))


def comment_blocks(text: str, comment: re.Pattern[str]) -> Iterator[tuple[int, str]]:
    first, block = 1, list[str]()
    for number, line in enumerate([*text.splitlines(), "-"], 1):
        if found := comment.fullmatch(line):
            if not block:
                first = number
            block.append(found[1].removesuffix("*/"))
        elif block:
            yield first, "\n".join(block)
            block = []


def python_blocks(text: str) -> Iterator[tuple[int, str]]:
    for node in ast.walk(ast.parse(text)):
        body = getattr(node, "body", None)
        for statement in body if isinstance(body, list) else []:
            value = statement.value if isinstance(statement, ast.Expr) else None
            if isinstance(value, ast.Constant) and isinstance(value.value, str):
                yield value.lineno, re.sub(r"^ {4,}(?=>>>|\.\.\.).*$", "", value.value, flags=re.M)
    comments = [
        (token.start[0], token.string.lstrip("#! "))
        for token in tokenize.generate_tokens(io.StringIO(text).readline)
        if token.type == tokenize.COMMENT
    ]
    start, block, last = 0, list[str](), 0
    for line, words in [*comments, (0, "")]:
        if block and line != last + 1:
            yield start, "\n".join(block)
            block = []
        if not block:
            start = line
        block.append(words)
        last = line


def test_names_in(path: Path) -> Iterator[Text]:
    """Yields the names of the tests in a file, as words."""
    pattern = {
        ".swift": r"func `([^`]+)`",
        ".py": r"^(?:async )?def (test_\w+)",
        ".js": r"^\s*test\(\"((?:\\.|[^\"])*)\"",
        ".txt": r"^== (\S+)",
    }.get(path.suffix)
    text = path.read_text(encoding="utf-8")
    for found in re.finditer(pattern, text, re.M) if pattern else []:
        words = re.sub(r"[_-]", " ", found[1].removeprefix("test_"))
        yield Text(str(path.relative_to(ROOT)), text.count("\n", 0, found.start()) + 1, words)


def messages_in(path: Path) -> Iterator[Text]:
    """Yields the texts that a Swift source file has in quotes: messages, descriptions and help."""
    text = path.read_text(encoding="utf-8")
    text = re.sub(r"^\s*//.*$", "", text, flags=re.M)
    text = re.sub(r'(?<!\\)"(\s*)\+ "', r"\1", text)  # one message on several lines
    for found in STRING.finditer(text):
        raw = found["line"] if found["lines"] is None else found["lines"]
        words = " ".join(re.sub(r"\\\n", "", raw).replace('\\"', '"').split())
        if len(words.split()) >= 3 and re.search("[a-z]{3}", words):
            yield Text(str(path.relative_to(ROOT)), text.count("\n", 0, found.start()) + 1, words)
