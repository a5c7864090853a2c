// Connects to `unanswered.js PORT`, closes the session, and must end then, whether or not the other side answers.

import { connect, websocket } from "../src/index.js";

const app = await connect(websocket(`ws://127.0.0.1:${process.argv[2]}`, { patience: 10 }));
await app.close();
console.log(app.state);
