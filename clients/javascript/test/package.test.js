import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import test from "node:test";
import { HERE } from "./support.js";

const description = JSON.parse(readFileSync(`${HERE}package.json`, "utf8"));

/** Everything that a module imports, and what that imports. */
function imports(path, found = new Set()) {
  for (const [, name] of readFileSync(path, "utf8").matchAll(/^(?:(?:import|export) .*|}) from "(.*)";$/gm)) {
    if (found.has(name)) continue;
    found.add(name);
    if (name.startsWith(".")) imports(join(dirname(path), name), found);
  }
  return found;
}

test("what a browser loads needs nothing but its own files", () => {
  const found = [...imports(`${HERE}src/index.js`)];
  assert.ok(found.includes("./websocket.js"));
  assert.deepEqual(found.filter((name) => !name.startsWith("./")), []);
  assert.ok(imports(`${HERE}src/stdio.js`).has("node:child_process"));
});

test("the package has what it names, and depends on nothing", () => {
  const named = Object.values(description.exports).flatMap((entry) => (typeof entry === "string" ? entry : Object.values(entry)));
  for (const path of [...named, ...description.files]) assert.ok(existsSync(join(HERE, path)), path);
  assert.equal(description.dependencies, undefined);
});
