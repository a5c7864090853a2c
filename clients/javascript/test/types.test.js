import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import test from "node:test";
import { HERE, ROOT } from "./support.js";

/** TypeScript's compiler: the one in the environment variable TSC, or Debian's. */
const TSC = process.env.TSC ?? `${ROOT}.build/debian/usr/share/nodejs/typescript/bin/tsc`;

/** Runs a command. If it fails, its output is the error. */
function run(command, args, options = {}) {
  try {
    return execFileSync(command, args, { cwd: HERE, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], ...options });
  } catch (error) {
    assert.fail(`${error.stdout}${error.stderr}`);
  }
}

const typescript = (...args) => run(`${HERE}test/typescript.js`, args);

/** Creates a folder that is removed after the test. */
function temporary(t) {
  const folder = mkdtempSync(join(tmpdir(), "nagare-"));
  t.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** Writes the README's program to a folder. */
function shown(folder) {
  const [, program] = /^```ts\n(.*?)^```$/ms.exec(readFileSync(`${HERE}README.md`, "utf8"));
  const path = join(folder, "shown.mts");
  writeFileSync(path, program);
  return path;
}

/** Copies the package as it is in git, without generated files. */
function checkedOut(folder) {
  cpSync(HERE, folder, { recursive: true, filter: (path) => !["types", "node_modules"].includes(basename(path)) });
  return folder;
}

const npm = (folder, environment, ...args) =>
  run("npm", [...args, "--offline", "--no-audit", "--no-fund"], { cwd: folder, env: { ...process.env, ...environment } });

/** Type-checks a program strictly. */
const check = (program) =>
  typescript("--noEmit", "--strict", "--exactOptionalPropertyTypes", "--target", "es2022", "--module", "node16", "--moduleResolution", "node16",
    "--lib", "es2022,dom,dom.iterable", program);

test("a TypeScript program is checked against the package's types", () => check("test/program.mts"));

test("the README's TypeScript program passes the type check", (t) => {
  const folder = temporary(t);
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(HERE, join(folder, "node_modules", "nagare"));
  check(shown(folder));
});

const pack = (folder, TSC) => npm(folder, { TSC }, "pack", "--dry-run", "--json", "--silent");

test("packing creates the types, and fails without TypeScript", (t) => {
  const folder = checkedOut(temporary(t));
  assert.throws(() => pack(folder, "/none"), /\/none/);
  const [{ files }] = JSON.parse(pack(folder, TSC));
  const names = files.map(({ path }) => path);
  assert.ok(names.includes("types/nagare.d.ts") && names.includes("src/index.js") && !names.some((name) => name.startsWith("test/")), names);
});

/** Creates a project that depends on some folders, and installs them. */
function project(t, environment, dependencies) {
  const folder = temporary(t);
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, dependencies }));
  npm(folder, environment, "install");
  return join(folder, "node_modules", "nagare");
}

test("installing the folder creates the types with the project's TypeScript", (t) => {
  const typescript = temporary(t);
  mkdirSync(join(typescript, "bin"));
  writeFileSync(join(typescript, "package.json"), '{ "name": "typescript", "version": "4.8.4" }');
  writeFileSync(join(typescript, "bin", "tsc"), `require(${JSON.stringify(TSC)})`);
  const nagare = checkedOut(temporary(t));
  const installed = project(t, { TSC: "" }, { typescript: `file:${typescript}`, nagare: `file:${nagare}` });
  assert.ok(existsSync(join(installed, "types", "nagare.d.ts")));
});

test("the folder can be installed without TypeScript", (t) => {
  const installed = project(t, { TSC: "/none" }, { nagare: `file:${checkedOut(temporary(t))}` });
  assert.ok(existsSync(join(installed, "src", "index.js")) && !existsSync(join(installed, "types")));
});
