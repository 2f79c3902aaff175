import { WebSocket } from "undici";

/** Arguments for Node, before the script's. They open the inspector on a free port. */
export const INSPECTED = ["--inspect=127.0.0.1:0"];

/** Returns the bytes of a server's heap that are in use after a garbage collection. The server must have been started with INSPECTED. */
export async function heapBytes({ readLog }) {
  const [address] = /ws:\/\/\S+/.exec(await readLog());
  const socket = new WebSocket(address);
  await new Promise((resolve, reject) => {
    socket.addEventListener("open", resolve);
    socket.addEventListener("error", () => reject(new Error("the inspector did not answer")));
  });
  const ask = (method) => askInspector(socket, method);
  // The second collection frees what finalizers released in the first.
  await ask("HeapProfiler.collectGarbage");
  await ask("HeapProfiler.collectGarbage");
  const { usedSize } = await ask("Runtime.getHeapUsage");
  socket.close();
  return usedSize;
}

/** Sends one command at a time (Chrome DevTools Protocol). */
function askInspector(socket, method) {
  return new Promise((resolve) => {
    const listen = ({ data: text }) => {
      const { id, result } = JSON.parse(text);
      if (id !== 1) return;
      socket.removeEventListener("message", listen);
      resolve(result);
    };
    socket.addEventListener("message", listen);
    socket.send(JSON.stringify({ id: 1, method }));
  });
}
