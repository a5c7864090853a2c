#!/usr/bin/env node
// Runs TypeScript's compiler: the one that the environment's TSC names, else that of the project that this package is being
// installed into, the one in PATH, or Debian's below the repository's .build. With --prepare before the compiler's arguments it is
// npm's script of that name: nothing may be packed without its types, but who installs the folder without TypeScript needs none.

import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const HERE = fileURLToPath(new URL("..", import.meta.url));

/** The compiler's program in a folder's `node_modules`, or in those around it. */
function installed(folder) {
  try {
    return [process.execPath, join(dirname(createRequire(join(folder, "_")).resolve("typescript/package.json")), "bin/tsc")];
  } catch {
    return undefined;
  }
}

/** The first command that there is. npm says with INIT_CWD where it was called. */
function compiler() {
  if (process.env.TSC) return [process.env.TSC];
  const debian = join(HERE, "../../.build/debian/usr/bin/tsc");
  return installed(process.env.INIT_CWD ?? HERE) ?? installed(HERE)
    ?? (spawnSync("tsc", ["--version"]).error ? undefined : ["tsc"])
    ?? (existsSync(debian) ? [debian] : undefined);
}

const [, , ...options] = process.argv;
const prepares = options[0] === "--prepare";
const forgiven = prepares && !["pack", "publish"].includes(process.env.npm_command ?? "");
const command = compiler();
if (command) {
  const [program, ...before] = command;
  const run = spawnSync(program, [...before, ...options.slice(Number(prepares))], { cwd: HERE, stdio: "inherit" });
  if (run.error) console.error(`${program}: ${run.error.message}`);
  process.exitCode = forgiven ? 0 : (run.status ?? 1);
} else {
  console.error("There is no TypeScript to make the types with: install it, and call `npm run types` in clients/javascript.");
  process.exitCode = forgiven ? 0 : 1;
}
