"""Lists the functions that the server runs until its first response, so that the linker places them next to each
other.

usage: startup.py SERVER > startup.symbols

Code is loaded from disk, and kept in memory, by pages. Without the list, the code for the start is scattered over
most of them. Functions that every request runs come first, so that they share the processor's caches. The list
needs no maintenance: a name that no longer exists is ignored, and a function without a name is placed elsewhere.
"""

import collections
import re
import subprocess
import sys
import tempfile

PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}\n'


def calls(server, pings):
    """Counts the calls of each function while a client sends a number of requests, each after the previous response."""
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
