"""Things on the user's machine that the frontends need: the program `nagare`, and the folder of saved state."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

_NAME = "nagare"
_BUILD_PATH = Path(".build", "release", _NAME)


def find_nagare() -> str | None:
    """Returns the path of the program `nagare`, or None if it isn't found.

    It is looked up, in this order:

    - in the environment variable `NAGARE`
    - in the folder of the running program, and in the folder of its Python
    - in `PATH`
    - in `.build/release` of the current folder, of this file's folder, and of the folders above these
    """
    if named := os.environ.get("NAGARE"):
        return named
    # `python -c` and the interactive Python have no program. The current folder must not decide what is run then.
    folders = [Path(sys.argv[0]).resolve().parent] if os.path.isfile(sys.argv[0]) else []
    beside = [folder / _NAME for folder in (*folders, Path(sys.executable).parent)]
    built = [folder / _BUILD_PATH for start in (Path.cwd(), Path(__file__).resolve()) for folder in (start, *start.parents)]
    return _first_program(beside) or shutil.which(_NAME) or _first_program(built)


def _first_program(paths: list[Path]) -> str | None:
    return next((str(path) for path in paths if path.is_file() and os.access(path, os.X_OK)), None)


def state_folder() -> Path | None:
    """Returns the folder for saved state: `nagare` in `$XDG_STATE_HOME`, or in `.local/state` of the user's home.

    It may not exist yet. The result is None if the user has no home.
    """
    # The specification of these folders requires absolute paths.
    if os.path.isabs(state := os.environ.get("XDG_STATE_HOME", "")):
        return Path(state, _NAME)
    try:
        home = Path.home()
    except RuntimeError:
        return None
    has_home = os.environ.get("HOME") != "" and home.is_absolute() and home.is_dir()
    return home / ".local" / "state" / _NAME if has_home else None
