// Acknowledges callbacks. `DELETE /count` returns the number received since the last call.
import { createServer } from "node:http";

let came = 0;

const server = createServer((request, response) => {
  request.resume();
  if (request.method === "DELETE") {
    response.end(String(came));
    came = 0;
    return;
  }
  came += 1;
  response.writeHead(200, { "content-length": 2 });
  response.end("ok");
});
server.listen(0, "127.0.0.1", () => process.stdout.write(`http://127.0.0.1:${server.address().port}\nReady.\n`));
