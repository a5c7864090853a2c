// Ends a session with a server whose streams other processes hold open: `held.js close|exit|leave|die|abort|opening SERVER…`. After
// that, nothing may keep this process alive. It writes the active resources before and after the session as JSON.

import { connect } from "../src/index.js";
import { stdio } from "../src/stdio.js";
import { settle } from "./support.js";

const [, , way, ...server] = process.argv;
const resources = () => process.getActiveResourcesInfo().sort();
// After the first line, this process's output pipe is open.
console.log("begun");
await settle();
const before = resources();
const controller = new AbortController();
const connecting = connect(stdio(server), { signal: controller.signal });
if (way === "opening") controller.abort();
try {
  const app = await connecting;
  await app.request("ping");
  if (way === "close") await app.close();
  else if (way === "abort") {
    controller.abort();
    // Waits until the session has ended.
    await app.close();
  } else await app.request(way);
} catch (error) {
  console.log(error.message);
}
await settle();
await settle();
console.log(JSON.stringify([before, resources()]));
