import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import test from "node:test";
import { promisify } from "node:util";
import { SourceError } from "../src/index.js";
import { fake, HERE, NAGARE } from "./support.js";

const readme = await readFile(`${HERE}README.md`, "utf8");
const blocks = [...readme.matchAll(/^```js\n(.*?)^```$/gms)].map(([, code]) => code);
const block = (text) => blocks.find((code) => code.includes(text));
const AsyncFunction = (async () => {}).constructor;

test("the first program is under ten lines, and works as pasted", async (t) => {
  const program = blocks[0];
  assert.ok(program.trim().split("\n").length < 10);
  const folder = await mkdtemp(join(tmpdir(), "nagare-"));
  t.after(() => rm(folder, { recursive: true }));
  await mkdir(join(folder, "node_modules"));
  await symlink(HERE, join(folder, "node_modules", "nagare"));
  await writeFile(join(folder, "first.mjs"), program);
  const env = { ...process.env, PATH: `${dirname(NAGARE)}${delimiter}${process.env.PATH}` };
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ["first.mjs"], { cwd: folder, env, timeout: 20_000 });
  assert.equal(stdout.trim().split("\n").length, 5);
  assert.equal(stderr, "");
});

test("the handlers that are shown answer the server", async () => {
  const { App } = await import("../src/index.js");
  const { server } = await fake();
  const window = { prompt: (title, text) => `${title} ${text}`, confirm: () => true };
  const fetch = async () => ({ ok: false, status: 503 });
  const code = block("app.present(").replace(/^const app = .*$/m, "");
  const app = new App(server, {});
  await app.reconnect();
  await new AsyncFunction("app", "window", "fetch", "SourceError", "post", code)(app, window, fetch, SourceError, () => {});
  await app.open("items");
  const answer = async (method, params) => {
    server.say({ id: 1, method, params });
    await new Promise(setImmediate);
    return server.sent.at(-1);
  };
  assert.deepEqual((await answer("present", { task: { kind: "prompt", title: "Name", text: "Mei" } })).result, { outcome: "completed", value: "Name Mei" });
  assert.deepEqual((await answer("source/page", { source: "mine", key: null, size: 2 })).error.code, 503);
});

test("the loop that is shown connects again, and its views appear", async (t) => {
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

test("the composable that is shown follows an output", async () => {
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
