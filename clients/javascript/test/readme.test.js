import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import test from "node:test";
import { promisify } from "node:util";
import { connect } from "../src/index.js";
import { stdio } from "../src/stdio.js";
import { fake, HERE, NAGARE, VIRTUAL } from "./support.js";

const readme = await readFile(`${HERE}README.md`, "utf8");
const blocks = (language) => [...readme.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, "gms"))].map(([, code]) => code);
const block = (text) => blocks("js").find((code) => code.includes(text));
const AsyncFunction = (async () => {}).constructor;

/** Creates a folder with some files, the installed package and `nagare` in the path, and runs the first file. */
async function run(t, files, started = () => {}) {
  const folder = await mkdtemp(join(tmpdir(), "nagare-"));
  t.after(() => rm(folder, { recursive: true }));
  await mkdir(join(folder, "node_modules"));
  await symlink(HERE, join(folder, "node_modules", "nagare"));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  const env = { ...process.env, PATH: `${dirname(NAGARE)}${delimiter}${process.env.PATH}` };
  const running = promisify(execFile)(process.execPath, [Object.keys(files)[0]], { cwd: folder, env, timeout: 20_000 });
  started(running.child);
  return running;
}

test("the README's first program is under ten lines, and runs unchanged", async (t) => {
  const first = blocks("js")[0];
  assert.ok(first.trim().split("\n").length < 10);
  const { stdout, stderr } = await run(t, { "first.mjs": first });
  assert.equal(stdout.trim().split("\n").length, 5);
  assert.equal(stderr, "");
});

test("the README's loop reaches the end of the list", { timeout: 20_000 }, async (t) => {
  const app = await connect(stdio(VIRTUAL));
  t.after(() => app.close());
  const shown = [];
  let over = false;
  const loop = new AsyncFunction("app", "console", block("throttle: 0"))(app, { log: (...line) => shown.push(line) }).finally(() => (over = true));
  while (!over) await app.advance(300);
  await loop;
  const [view] = app.views.values();
  assert.deepEqual(shown, [["reachedBottom", view.items.length]]);
  assert.ok(view.items.length > 40);
});

test("the README's program that answers the server runs unchanged", async (t) => {
  const files = { "rows.mjs": block("app.source("), "nagare.json": blocks("json")[0] };
  // Input that is typed before the question would be lost.
  const started = ({ stdin, stdout }) =>
    stdout.on("data", (text) => {
      if (text.endsWith("(y/n) ")) stdin.write("y\n");
      if (text.endsWith("stays.\n")) stdin.end();
    });
  const { stdout, stderr } = await run(t, files, started);
  assert.equal(stdout, "Remove it? (y/n) Row 0 stays.\n");
  assert.equal(stderr, "");
});

test("the README's live source runs unchanged, in ten lines", async (t) => {
  const code = block("live([");
  assert.ok(code.trim().split("\n").length <= 12);
  const config = { sources: { mine: { type: "client", live: true } }, screens: { rows: { viewModel: "list", source: "mine" } } };
  const { stdout, stderr } = await run(t, { "live.mjs": code, "live.json": JSON.stringify(config) });
  assert.equal(stdout, "Three, One, Two 3\n");
  assert.equal(stderr, "");
});

test("the README's loop reconnects, and its views appear", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { app, server } = await fake();
  new Function("app", block("app.reconnect()"))(app);
  const open = server.open.bind(server);
  let tries = 0;
  server.open = (...args) => (tries++ < 2 ? Promise.reject(new Error("not yet")) : open(...args));
  server.events.close(new Error("cut"));
  for (let waits = 0; app.state !== "open" && waits < 10; waits += 1) {
    t.mock.timers.tick(30_000);
    await new Promise(setImmediate);
  }
  await new Promise(setImmediate);
  assert.equal(app.state, "open");
  assert.deepEqual(server.methods, ["open", "open", "viewWillAppear"]);
});

test("the README's composable follows an output", async () => {
  const { server, view } = await fake();
  const scope = [];
  const code = block("shallowRef").replace("export ", "");
  const useOutput = new Function("shallowRef", "onScopeDispose", `${code}; return useOutput`)((value) => ({ value }), (dispose) => scope.push(dispose));
  const loading = useOutput(view, "loading");
  server.output("v1", "loading", { value: true });
  assert.equal(loading.value, true);
  scope[0]();
  server.output("v1", "loading", { value: false });
  assert.equal(loading.value, true);
});
