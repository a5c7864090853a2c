"""Lists the source files that one `reachBottom` passes through, with the instructions spent in each.

usage: way.py PROGRAM

Two runs under callgrind differ only in that one call. A file counts if the call makes it run more instructions.
Functions of the standard library that are specialized for a file's types don't count.
"""

import collections
import os
import re
import subprocess
import sys
import tempfile

OPEN = ['{"jsonrpc":"2.0","id":1,"method":"open","params":{"screen":"items"}}', '{"jsonrpc":"2.0","id":2,"method":"refresh"}']
ADVANCE = '{"jsonrpc":"2.0","id":3,"method":"clock/advance","params":{"milliseconds":1000}}'
BOTTOM = '{"jsonrpc":"2.0","id":4,"method":"reachBottom"}'
ENVIRONMENT = {**os.environ, "SWIFT_DETERMINISTIC_HASHING": "1"}


def instructions(program, *messages):
    """Counts instructions by source file. Inlined code counts for the file that contains it (callgrind's format,
    version 1)."""
    with tempfile.NamedTemporaryFile("r") as profile:
        subprocess.run(
            ["valgrind", "--tool=callgrind", "--quiet", "--dump-line=no", f"--callgrind-out-file={profile.name}",
             program, "--clock", "virtual"],
            check=True, env=ENVIRONMENT, input="\n".join(messages) + "\n", text=True, stdout=subprocess.DEVNULL)
        names, functions, spent = {}, {}, collections.Counter()
        current, is_call, is_own = "", False, True
        for line in profile:
            if named := re.match(r"(c?f[lie])=(\((\d+)\))(?: (.*))?", line):
                name = names.setdefault(named[3], named[4] or "")
                current = current if named[1].startswith("c") else name
            elif named := re.match(r"(c?)fn=\((\d+)\)(?: (.*))?", line):
                function = functions.setdefault(named[2], named[3] or "")
                # Symbols of the Swift standard library begin with this.
                is_own = is_own if named[1] else not function.startswith("$sS")
            elif line.startswith("calls="):
                is_call = True
            elif cost := re.match(r"(?:\+|-)?(?:\d+|\*) (\d+)$", line):
                spent[current] += int(cost[1]) if is_own and not is_call else 0
                is_call = False
        return spent


without = instructions(sys.argv[1], *OPEN, ADVANCE, ADVANCE)
spent = instructions(sys.argv[1], *OPEN, ADVANCE, BOTTOM, ADVANCE)
way = {name: spent[name] - without[name] for name in spent if "/Sources/" in name and name.endswith(".swift")}
way = {name.split("/Sources/", 1)[1]: count for name, count in sorted(way.items()) if count > 0}
for name, count in way.items():
    print(f"{count:8} {name}")
print(f"{len(way):8} files")
