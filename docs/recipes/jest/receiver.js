import { once } from "node:events";
import { createServer } from "node:http";
import { json } from "node:stream/consumers";

/** The part of an application that takes callbacks: answers 200 at once, and hands them on. */
export async function startReceiver(take) {
  const server = createServer((request, response) => {
    response.writeHead(200).end();
    void json(request).then(take);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    close: () => new Promise((resolve) => server.close(resolve).closeAllConnections()),
  };
}
