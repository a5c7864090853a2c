import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import test from "node:test";
import { HERE, ROOT } from "./support.js";

/** TypeScript's compiler, as the tests have it. */
const TSC = process.env.TSC ?? `${ROOT}.build/debian/usr/share/nodejs/typescript/bin/tsc`;

/** Runs a command; what it says is the failure. */
function run(command, args, options = {}) {
  try {
    return execFileSync(command, args, { cwd: HERE, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], ...options });
  } catch (error) {
    assert.fail(`${error.stdout}${error.stderr}`);
  }
}

const typescript = (...args) => run(`${HERE}test/typescript.js`, args);

/** A folder for this test alone. */
function temporary(t) {
  const folder = mkdtempSync(join(tmpdir(), "nagare-"));
  t.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** The program that the README shows, in a folder. */
function shown(folder) {
  const [, program] = /^```ts\n(.*?)^```$/ms.exec(readFileSync(`${HERE}README.md`, "utf8"));
  const path = join(folder, "shown.mts");
  writeFileSync(path, program);
  return path;
}

/** The package as it is in git: without what is made. */
function checkedOut(folder) {
  cpSync(HERE, folder, { recursive: true, filter: (path) => !["types", "node_modules"].includes(basename(path)) });
  return folder;
}

const npm = (folder, environment, ...args) =>
  run("npm", [...args, "--offline", "--no-audit", "--no-fund"], { cwd: folder, env: { ...process.env, ...environment } });

/** Checks a program strictly. */
const check = (program) =>
  typescript("--noEmit", "--strict", "--exactOptionalPropertyTypes", "--target", "es2022", "--module", "node16", "--moduleResolution", "node16",
    "--lib", "es2022,dom,dom.iterable", program);

test("a program in TypeScript is checked against them", () => check("test/program.mts"));

test("the program in TypeScript that is shown is right", (t) => {
  const folder = temporary(t);
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(HERE, join(folder, "node_modules", "nagare"));
  check(shown(folder));
});

const pack = (folder, TSC) => npm(folder, { TSC }, "pack", "--dry-run", "--json", "--silent");

test("a package that is packed has its types, or isn't packed", (t) => {
  const folder = checkedOut(temporary(t));
  assert.throws(() => pack(folder, "/none"), /\/none/);
  const [{ files }] = JSON.parse(pack(folder, TSC));
  const names = files.map(({ path }) => path);
  assert.ok(names.includes("types/nagare.d.ts") && names.includes("src/index.js") && !names.some((name) => name.startsWith("test/")), names);
});

/** A project that depends on these folders, installed. */
function project(t, environment, dependencies) {
  const folder = temporary(t);
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, dependencies }));
  npm(folder, environment, "install");
  return join(folder, "node_modules", "nagare");
}

test("a project that installs the folder has the types, made by its own TypeScript", (t) => {
  const typescript = temporary(t);
  mkdirSync(join(typescript, "bin"));
  writeFileSync(join(typescript, "package.json"), '{ "name": "typescript", "version": "4.8.4" }');
  writeFileSync(join(typescript, "bin", "tsc"), `require(${JSON.stringify(TSC)})`);
  const nagare = checkedOut(temporary(t));
  const installed = project(t, { TSC: "" }, { typescript: `file:${typescript}`, nagare: `file:${nagare}` });
  assert.ok(existsSync(join(installed, "types", "nagare.d.ts")));
});

test("a project without TypeScript can install the folder, too", (t) => {
  const installed = project(t, { TSC: "/none" }, { nagare: `file:${checkedOut(temporary(t))}` });
  assert.ok(existsSync(join(installed, "src", "index.js")) && !existsSync(join(installed, "types")));
});
