// Accepts every connection but never answers.
import { createServer } from "node:net";

const server = createServer((socket) => void socket.on("error", () => {}).resume());
server.listen(0, "127.0.0.1", () => process.stdout.write(`http://127.0.0.1:${server.address().port}\nReady.\n`));
