// How a started server ends, in virtual time, even if other processes hold its streams open.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { createReadStream } from "node:fs";
import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import test from "node:test";
import { connect } from "../src/index.js";
import { stdio } from "../src/stdio.js";
import { ROOT, settle } from "./support.js";

const ENDING = `${ROOT}clients/behaviour/ending.py`;
const STREAMS = ["stdin", "stdout", "stderr"];
const PATIENCE = 10_000;

/** Opens a session with a server that records the messages and signals it receives. */
async function ending(t, shutdown, end, held = [], { isVirtual = true } = {}) {
  if (isVirtual) t.mock.timers.enable({ apis: ["setTimeout"] });
  const folder = await mkdtemp(join(tmpdir(), "nagare-"));
  t.after(() => rm(folder, { recursive: true }));
  const fifo = join(folder, "record");
  execFileSync("mkfifo", [fifo]);
  // Opened for reading and writing, so that opening doesn't block. It is closed when the server has opened its writing end.
  const both = await open(fifo, "r+");
  const lines = createInterface({ input: createReadStream(fifo) })[Symbol.asyncIterator]();
  const app = await connect(stdio(["python3", "-S", ENDING, fifo, shutdown, end, ...held], { patience: PATIENCE }));
  await app.request("ping");
  await both.close();
  if (held.length > 0) {
    const holder = Number((await lines.next()).value.split(" ")[1]);
    t.after(() => process.kill(holder, "SIGKILL"));
  }
  return {
    app,
    async gets(...expected) {
      for (const line of expected) assert.equal((await lines.next()).value, line);
    },
    /** Waits until no process is left in the server's session. */
    async isGone() {
      assert.equal((await lines.next()).done, true);
    },
    async move(milliseconds) {
      await settle();
      t.mock.timers.tick(milliseconds);
    },
  };
}

for (const shutdown of ["answers", "ignores"]) {
  for (const end of ["exit", "input", "SIGTERM", "SIGKILL"]) {
    for (const held of [[], STREAMS]) {
      test(`close ends a server that ${shutdown} shutdown and ends at ${end}, with streams held open: ${held}`, async (t) => {
        const server = await ending(t, shutdown, end, held);
        const pending = assert.rejects(server.app.request("wait"), /The session was closed/);
        await server.gets("wait");
        const closing = server.app.close();
        await server.gets("shutdown");
        if (shutdown === "ignores") await server.move(PATIENCE / 2);
        await server.gets("exit");
        await pending;
        if (end !== "exit") await server.gets("end of input");
        if (end.startsWith("SIG")) {
          await server.move(shutdown === "ignores" ? PATIENCE / 2 : PATIENCE);
          await server.gets("SIGTERM");
        }
        if (end === "SIGKILL") await server.move(PATIENCE);
        await Promise.all([closing, server.app.close()]);
        assert.equal(server.app.state, "closed");
        await server.isGone();
        await assert.rejects(server.app.request("ping"), /The session was closed/);
      });
    }
  }
}

for (const held of STREAMS) {
  test(`a ${held} that another process holds open doesn't delay the end`, async (t) => {
    const server = await ending(t, "answers", "exit", [held]);
    const closing = server.app.close();
    await server.gets("shutdown", "exit");
    await closing;
    await server.isGone();
  });
}

for (const held of [[], ["stdout"], STREAMS]) {
  test(`a crash is noticed at once, and earlier output is read, with streams held open: ${held}`, async (t) => {
    const server = await ending(t, "answers", "exit", held);
    const lost = new Promise((resolve) => server.app.addEventListener("lost", resolve, { once: true }));
    const waiting = server.app.request("wait");
    await server.gets("wait");
    await assert.rejects(server.app.request("die"), /python3 ended with status 3/);
    assert.deepEqual(await waiting, { now: 7 });
    await lost;
    await assert.rejects(server.app.request("ping"), /python3 ended with status 3/);
    await server.app.close();
    await server.isGone();
  });
}

const WAYS = {
  close: [],
  exit: ["python3 ended with status 0"],
  leave: ["python3 ended with status 0"],
  die: ["python3 ended with status 3"],
  abort: [],
  opening: ["This operation was aborted"],
};
for (const [way, error] of Object.entries(WAYS)) {
  test(`a closed session doesn't keep Node alive, even if other processes hold the server's streams open: ${way}`, async (t) => {
    const folder = await mkdtemp(join(tmpdir(), "nagare-"));
    t.after(() => rm(folder, { recursive: true }));
    const fifo = join(folder, "record");
    execFileSync("mkfifo", [fifo]);
    // The FIFO keeps the server's records until they are read.
    const record = await open(fifo, "r+");
    t.after(() => record.close());
    const server = ["python3", "-S", ENDING, fifo, "answers", "exit", "session", ...STREAMS];
    const child = spawn(process.execPath, [`${ROOT}clients/javascript/test/held.js`, way, ...server], { stdio: ["ignore", "pipe", "inherit"] });
    t.after(() => child.kill("SIGKILL"));
    const ended = once(child, "exit");
    const written = [];
    for await (const line of createInterface({ input: child.stdout })) {
      written.push(line);
      if (line.startsWith("[")) break;
    }
    // A server that is killed while it starts has left no process.
    const isHeld = way !== "opening";
    const { buffer, bytesRead } = isHeld ? await record.read() : { buffer: Buffer.of(), bytesRead: 0 };
    const holder = Number(/^holder (\d+)$/m.exec(buffer.toString("latin1", 0, bytesRead))?.[1]);
    if (isHeld) t.after(() => process.kill(holder, "SIGKILL"));
    const [before, after] = JSON.parse(written.at(-1));
    assert.deepEqual(after, before);
    assert.deepEqual(written.slice(1, -1), error);
    assert.deepEqual(await ended, [0, null]);
    // The process that holds the streams still runs, otherwise this throws.
    if (isHeld) process.kill(holder, 0);
  });
}

test("endless output of another process doesn't delay the end", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  // A process in another session prints its process id, then fills the pipe endlessly. The server ends after one input line.
  const endless = 'setsid sh -c \'echo "{\\"pid\\":$$}"; exec yes "{}"\' & read line';
  let pid;
  const ended = new Promise((resolve) => {
    let link;
    const message = (text) => {
      if (pid === undefined) link.then((link) => link.send(""));
      pid ??= JSON.parse(text).pid;
    };
    link = stdio(["sh", "-c", endless]).open({ message, close: resolve }, {});
  });
  assert.match((await ended).message, /sh ended with status 0/);
  process.kill(pid, "SIGKILL");
});

test("a closed session leaves no timer, even if a call was waiting", async (t) => {
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
  const before = timers();
  const server = await ending(t, "answers", "exit", [], { isVirtual: false });
  const waiting = assert.rejects(server.app.request("wait"), /The session was closed/);
  await server.gets("wait");
  assert.equal(timers(), before);
  await server.app.close();
  await waiting;
});
