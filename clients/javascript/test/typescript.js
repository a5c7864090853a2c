#!/usr/bin/env node
// Runs TypeScript's compiler. It is the first one found of: the environment variable TSC, the project that this package is being
// installed into, PATH, Debian's package in the repository's .build.
//
// npm calls this with --prepare before the compiler's arguments. Then packing fails without a compiler, because a package must
// contain its types. Installing the folder succeeds without types.

import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const HERE = fileURLToPath(new URL("..", import.meta.url));

/** Returns the compiler in the `node_modules` of a folder or of those above it. */
function installed(folder) {
  try {
    return [process.execPath, join(dirname(createRequire(join(folder, "_")).resolve("typescript/package.json")), "bin/tsc")];
  } catch {
    return undefined;
  }
}

/** Returns the first command that exists. npm sets INIT_CWD to the folder in which it was called. */
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
