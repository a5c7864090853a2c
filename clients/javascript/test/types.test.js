import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { HERE } from "./support.js";

/** Runs TypeScript's compiler; what it finds is the failure. */
function typescript(...args) {
  try {
    execFileSync(`${HERE}test/typescript`, args, { cwd: HERE, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  } catch (error) {
    assert.fail(`${error.stdout}${error.stderr}`);
  }
}

test("the sources are typed, and the declarations are what is made of them", (t) => {
  const folder = mkdtempSync(join(tmpdir(), "nagare-"));
  t.after(() => rmSync(folder, { recursive: true }));
  typescript("-p", ".", "--outDir", folder);
  const texts = (folder) => Object.fromEntries(readdirSync(folder).sort().map((name) => [name, readFileSync(join(folder, name), "utf8")]));
  assert.deepEqual(texts(`${HERE}types`), texts(folder), "write them anew: npm run types");
});

/** Checks a program strictly. */
const check = (program) =>
  typescript("--noEmit", "--strict", "--exactOptionalPropertyTypes", "--target", "es2022", "--module", "node16", "--moduleResolution", "node16",
    "--lib", "es2022,dom,dom.iterable", program);

test("a program in TypeScript is checked against them", () => check("test/program.mts"));

test("the program in TypeScript that is shown is right", (t) => {
  const folder = mkdtempSync(join(tmpdir(), "nagare-"));
  t.after(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(HERE, join(folder, "node_modules", "nagare"));
  const [, program] = /^```ts\n(.*?)^```$/ms.exec(readFileSync(`${HERE}README.md`, "utf8"));
  writeFileSync(join(folder, "shown.mts"), program);
  check(join(folder, "shown.mts"));
});
