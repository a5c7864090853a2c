// `unanswered.js PORT` connects to a port, closes the session, and must then end, even if the other side doesn't answer.

import { connect, websocket } from "../src/index.js";

const app = await connect(websocket(`ws://127.0.0.1:${process.argv[2]}`, { patience: 10 }));
await app.close();
console.log(app.state);
