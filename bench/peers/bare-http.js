// The smallest server that answers the request, to measure the cost of Node itself.
import { createServer } from "node:http";
import { ACKNOWLEDGMENT } from "./acknowledgment.js";

const server = createServer((request, response) => {
  const chunks = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => {
    JSON.parse(chunks.length === 0 ? "{}" : Buffer.concat(chunks).toString("utf8"));
    response.writeHead(200, { "content-type": "application/json", "content-length": ACKNOWLEDGMENT.length });
    response.end(ACKNOWLEDGMENT);
  });
});
server.listen(0, "127.0.0.1", () => process.stdout.write(`http://127.0.0.1:${server.address().port}\nReady.\n`));
