import { once } from "node:events";
import { createServer } from "node:http";
import { json } from "node:stream/consumers";

/** The part of an application that takes callbacks: hands each on, then answers 200, so that who advances the clock sees it booked. */
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
