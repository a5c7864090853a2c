import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import test from "node:test";
import { HERE } from "./support.js";

const description = JSON.parse(readFileSync(`${HERE}package.json`, "utf8"));

/** Returns the modules that a module imports, directly or indirectly. */
function imports(path, found = new Set()) {
  for (const [, name] of readFileSync(path, "utf8").matchAll(/^(?:(?:import|export) .*|}) from "(.*)";$/gm)) {
    if (found.has(name)) continue;
    found.add(name);
    if (name.startsWith(".")) imports(join(dirname(path), name), found);
  }
  return found;
}

test("the browser's modules import only files of the package", () => {
  const found = [...imports(`${HERE}src/index.js`)];
  assert.ok(found.includes("./websocket.js"));
  assert.deepEqual(found.filter((name) => !name.startsWith("./")), []);
  assert.ok(imports(`${HERE}src/stdio.js`).has("node:child_process"));
});

test("the package contains all files that it names, and has no dependencies", () => {
  const named = Object.values(description.exports).flatMap((entry) => (typeof entry === "string" ? entry : Object.values(entry)));
  for (const path of [...named, ...description.files]) assert.ok(existsSync(join(HERE, path)), path);
  assert.equal(description.dependencies, undefined);
});
