"""The documentation can be built, and its code compiles and passes its tests."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import BUILT_BESIDE_CLONE, CONFORMANCE, ROOT

CATALOGS = sorted(ROOT.glob("Sources/*/*.docc"))

MANIFEST = """// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "samples",
  platforms: [.macOS(.v26)],
  dependencies: [.package(path: "../nagare")],
  targets: [
    .executableTarget(name: "counter", dependencies: [.product(name: "Nagare", package: "nagare")])
  ] + [%s].map { name in
    .testTarget(
      name: name,
      dependencies: [
        .product(name: "Nagare", package: "nagare"),
        .product(name: "Screens", package: "nagare"),
        .product(name: "PageSources", package: "nagare"),
        .product(name: "FlowTesting", package: "nagare"),
        .product(name: "NagareTesting", package: "nagare"),
      ])
  }
)
"""

README = (ROOT / "README.md").read_text(encoding="utf-8")

REFUSED = re.compile(r"// does not compile: (.*)\n")


def blocks() -> dict[str, list[str]]:
    """The Swift code of each article, in its order. The tutorial has its own test."""
    articles = [page for catalog in CATALOGS for page in sorted(catalog.glob("*.md")) if page.stem != "Tutorial"]
    texts = {page.stem: page.read_text(encoding="utf-8") for page in articles}
    return {name: re.findall(r"^```swift\n(.*?)^```$", text, re.DOTALL | re.MULTILINE) for name, text in texts.items()}


def samples() -> dict[str, str]:
    """The code of each article that must compile, as one file."""
    code = {name: [block for block in found if not REFUSED.match(block)] for name, found in blocks().items()}
    return {name: "\n".join(found) for name, found in code.items() if found}


def refused() -> list[tuple[str, str]]:
    """Each piece of code that must not compile, and the expected error."""
    found = [block for page in blocks().values() for block in page]
    return [(block, match[1]) for block in found if (match := REFUSED.match(block))]


def wrong_programs() -> list[tuple[str, str]]:
    """Programs with typical mistakes of authors, and the expected error of each: the comment at its beginning."""
    found = [file.read_text(encoding="utf-8") for file in sorted((Path(__file__).parent / "WrongPrograms").glob("*.swift"))]
    return [(code, code.splitlines()[0].removeprefix("// ")) for code in found]


def fenced(language: str) -> str:
    """The README's only block in a language."""
    (block,) = re.findall(rf"^```{language}\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)
    return block


def test_the_code_in_the_documentation_works(beside_clone: Path) -> None:
    folder = beside_clone / "samples"
    shutil.rmtree(folder, ignore_errors=True)
    for name, code in samples().items():
        file = folder / "Tests" / f"{name}Samples" / f"{name}.swift"
        file.parent.mkdir(parents=True)
        file.write_text(code, encoding="utf-8")
    program = folder / "Sources" / "counter" / "main.swift"
    program.parent.mkdir(parents=True)
    program.write_text(fenced("swift"), encoding="utf-8")
    targets = ", ".join(f'"{name}Samples"' for name in samples())
    (folder / "Package.swift").write_text(MANIFEST % targets, encoding="utf-8")
    result = subprocess.run(
        ["swift", "test", "--package-path", str(folder), "--scratch-path", str(BUILT_BESIDE_CLONE)], capture_output=True, text=True
    )
    output = result.stdout + result.stderr
    assert result.returncode == 0, output
    assert "warning:" not in output, output
    assert re.search(r"Test run with [1-9]\d* tests .*passed", output), output

    transcript = folder / "counter.txt"
    transcript.write_text(f"# The README's first program.\n{fenced('counter')}", encoding="utf-8")
    dialogue = subprocess.run(
        [sys.executable, str(CONFORMANCE / "run.py"), str(transcript), "--", str(BUILT_BESIDE_CLONE / "debug" / "counter")],
        capture_output=True,
        text=True,
    )
    assert dialogue.returncode == 0, dialogue.stdout + dialogue.stderr

    assert refused()
    for number, (code, message) in enumerate([*refused(), *wrong_programs()]):
        file = folder / f"refused{number}.swift"
        file.write_text(code, encoding="utf-8")
        command = ["swiftc", "-typecheck", "-swift-version", "6", "-I", str(BUILT_BESIDE_CLONE / "debug" / "Modules"), str(file)]
        result = subprocess.run(command, capture_output=True, text=True)
        errors = re.findall(r"swift:\d+:\d+: error: (.*)", result.stderr)
        assert len(errors) == 1 and errors[0].startswith(message), result.stderr


def test_the_page_on_the_chat_shows_the_example() -> None:
    example = "".join(file.read_text(encoding="utf-8") for file in (ROOT / "Sources" / "ChatExample").glob("*.swift"))
    for block in blocks()["Chat"]:
        code = re.sub(r"^import .*\n", "", block, flags=re.MULTILINE).strip()
        assert code in example, f"the page shows other code than the example:\n{code}"


@pytest.mark.skipif(not shutil.which("docc"), reason="this toolchain has no docc")
def test_the_documentation_builds_without_warnings() -> None:
    result = subprocess.run(["make", "-s", "docs"], cwd=ROOT, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr
    site = ROOT / ".build" / "docs" / "site" / "data" / "documentation"
    pages = {"nagare": {"tutorial", "viewmodels", "observable", "items"}, "nagareclient": {"session", "remoteview", "rows"}}
    for module, names in pages.items():
        assert names <= {page.stem for page in (site / module).glob("*.json")}
