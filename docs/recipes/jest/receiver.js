import { once } from "node:events";
import { createServer } from "node:http";

/** The part of an application that takes callbacks: answers 200 at once, and hands them on. */
export async function startReceiver(take) {
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray());
    response.writeHead(200).end();
    take(JSON.parse(body.toString()));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    close: () => new Promise((resolve) => server.close(resolve).closeAllConnections()),
  };
}
