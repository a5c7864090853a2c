// Runs a program and forwards its input and output seven bytes at a time. Seven divides no common buffer size, so characters and
// messages are cut at all positions.

import { spawn } from "node:child_process";
import { once } from "node:events";

const [program, ...args] = process.argv.slice(2);
const child = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"] });

async function pump(from, to) {
  for await (const data of from) {
    for (let start = 0; start < data.length; start += 7) {
      if (!to.write(data.subarray(start, start + 7))) await once(to, "drain");
      await new Promise(setImmediate);
    }
  }
  to.end();
}

child.stdin.on("error", () => {});
void pump(process.stdin, child.stdin);
const [[status]] = await Promise.all([once(child, "exit"), pump(child.stdout, process.stdout).catch(() => {})]);
process.exitCode = status ?? 1;
