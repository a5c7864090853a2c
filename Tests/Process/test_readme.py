"""The dialogue that people type is a transcript that the server fulfils."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import CONFORMANCE, ROOT
from server import Message, Start


def dialogue() -> str:
    """All blocks marked `transcript`: one session, with prose in between."""
    page = (ROOT / "protocol" / "TRYING.md").read_text(encoding="utf-8")
    return "".join(re.findall(r"^```transcript\n(.*?)^```$", page, re.DOTALL | re.MULTILINE))


def test_the_page_shows_a_whole_dialogue() -> None:
    for method in ("open", "viewWillAppear", "reachBottom", "select", "swipe"):
        assert f'"method":"{method}"' in dialogue(), f"the dialogue lacks {method}"


def test_the_dialogue_works(nagare: str, tmp_path: Path) -> None:
    """Runs on the real clock, as if typed, unless the dialogue moves the clock itself."""
    transcript = tmp_path / "trying.txt"
    transcript.write_text(f"# The dialogue of TRYING.md.\n{dialogue()}", encoding="utf-8")
    clock = ["--clock", "virtual"] if re.search(r"^advance ", dialogue(), re.MULTILINE) else []
    run = subprocess.run(
        [sys.executable, str(CONFORMANCE / "run.py"), "--framing", "lines", "--chunks", "message", str(transcript)]
        + ["--", nagare, *clock],
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, f"\n{run.stdout}{run.stderr}"


def test_the_readmes_frontend_is_the_first_program_of_the_library() -> None:
    """The library's tests run that program."""
    (program,) = re.findall(r"^```python\n(.*?)^```$", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    assert f"```python\n{program}```" in (ROOT / "clients" / "python" / "README.md").read_text(encoding="utf-8")


# The expected result of the last line, by the screen that the first line opens.
LEADS_TO = {
    "articles": lambda message: message["method"] == "items" and "RxSwift入門" in message["params"]["value"][0]["title"],
    "shops": lambda message: message["method"] == "items" and message["params"]["value"][0:1] != []
    and all(shop["genre"] == "curry" for shop in message["params"]["value"]),
    "profile": lambda message: message["method"] == "name" and message["params"]["value"] == "Mei",
    "offers": lambda message: message["method"] == "offers" and len(message["params"]["value"]) == 20,
}


@pytest.mark.parametrize("screen", LEADS_TO)
def test_the_lines_to_type_work(start: Start, screen: str) -> None:
    page = (ROOT / "protocol" / "ARTICLES.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```lines\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    (lines,) = (block for block in blocks if f'"screen":"{screen}"' in block)
    server = start()
    server.write(lines.encode())
    message: Message = {}
    while "method" not in message or not LEADS_TO[screen](message):
        message = json.loads(server.next_line())
        assert "error" not in message, message


PAGES = ["README.md", *(str(page.relative_to(ROOT)) for top in ("protocol", "clients") for page in (ROOT / top).glob("**/*.md"))]


def prose(page: Path) -> str:
    """A page without its code."""
    return re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)


def anchors(page: Path) -> set[str]:
    """The link anchors of a page's headings, as GitHub makes them."""
    headings = (re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading) for heading in re.findall(r"^#+ (.*)$", prose(page), re.MULTILINE))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", [page for page in PAGES if "node_modules" not in page and "/." not in page])
def test_every_link_has_a_target(page: str) -> None:
    for place in re.findall(r"\]\(([^)\s]+)\)", prose(ROOT / page)):
        path, _, anchor = place.partition("#")
        if ":" in path:
            continue
        target = (ROOT / page).parent / path if path else ROOT / page
        assert target.exists(), place
        assert not anchor or target.suffix != ".md" or anchor in anchors(target), place


def worked_dialogues() -> list[tuple[str, str]]:
    """Headings and their transcripts."""
    page = (ROOT / "protocol" / "DIALOGUES.md").read_text(encoding="utf-8")
    return re.findall(r"^## (.*?)\n.*?^```transcript\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize(("heading", "transcript"), worked_dialogues(), ids=lambda text: text.split("\n")[0])
def test_the_worked_dialogues_work(nagare: str, tmp_path: Path, heading: str, transcript: str) -> None:
    path = tmp_path / "dialogue.txt"
    path.write_text(f"# {heading}\n{transcript}", encoding="utf-8")
    run = subprocess.run(
        [sys.executable, str(CONFORMANCE / "run.py"), str(path), "--", nagare, "--clock", "virtual"],
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, f"\n{run.stdout}{run.stderr}"
