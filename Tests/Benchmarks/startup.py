"""Lists the functions that the server runs until it has answered, for the linker to put beside one another.

usage: startup.py SERVER > startup.symbols

Code is read from disk, and held in memory, by pages: what starts the server lies scattered over most of them otherwise. Those
that each request runs come first, as they share the processor's caches as well. The list needs no care. A name that isn't
there any more does nothing, and a function that isn't named lies somewhere else.
"""

import collections
import re
import subprocess
import sys
import tempfile

PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}\n'


def calls(server, pings):
    """How often each function is called while a client asks so often, and waits for each answer."""
    with tempfile.NamedTemporaryFile() as profile:
        process = subprocess.Popen(
            ["valgrind", "--tool=callgrind", "--quiet", "--demangle=no", f"--callgrind-out-file={profile.name}", server],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for _ in range(pings):
            process.stdin.write(PING)
            process.stdin.flush()
            process.stdout.readline()
        process.stdin.close()
        if process.wait() != 0:
            sys.exit(f"{server} ended with {process.returncode}")
        lines = profile.read().decode().splitlines()
    names, found, function = {}, collections.Counter(), ""
    for line in lines:
        if named := re.match(r"c?fn=(\(\d+\))(?: (.+?)(?:'\d+)?)?$", line):
            number, name = named.groups()
            function = names.setdefault(number, name)
            found[function] += 0
        elif line.startswith("calls="):
            found[function] += int(line[6:].split()[0])
    return found


few, many = calls(sys.argv[1], 1), calls(sys.argv[1], 101)
named = (name for name in few if not name.startswith("0x"))
print("\n".join(sorted(named, key=lambda name: (many[name] - few[name] < 100, name))))
