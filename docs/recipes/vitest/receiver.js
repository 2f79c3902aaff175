import { once } from "node:events";
import { createServer } from "node:http";
import { json } from "node:stream/consumers";

/** The part of an application that receives callbacks. It answers 200 after booking, so a test sees the result as soon as the clock has advanced. */
export async function startReceiver(take) {
  const server = createServer((request, response) => {
    void json(request).then(take).then(() => response.writeHead(200).end());
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    close: () => new Promise((resolve) => server.close(resolve).closeAllConnections()),
  };
}
