"""Lists the functions that the server runs from its start to its first reply, for the linker to put beside one another.

usage: startup.py SERVER > startup.symbols

Code is read from disk, and held in memory, by pages: what starts the server lies scattered over most of them otherwise. The
list needs no care. A name that isn't there any more does nothing, and a function that isn't named lies somewhere else.
"""

import re
import subprocess
import sys
import tempfile

PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}\n'

with tempfile.NamedTemporaryFile() as profile:
    subprocess.run(
        ["valgrind", "--tool=callgrind", "--quiet", f"--callgrind-out-file={profile.name}", sys.argv[1]],
        input=PING, stdout=subprocess.DEVNULL, check=True, text=True)
    named = re.findall(r"^c?fn=\(\d+\) (.+?)(?:'\d+)?$", profile.read().decode(), re.MULTILINE)
print("\n".join(sorted({name for name in named if " " not in name})))
