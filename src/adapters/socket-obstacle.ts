import type { Socket } from "node:net";
import type { Millis } from "../domain/time.ts";

/** Waits for a socket to get so far; answers the code of what came between, ETIMEDOUT once the limit has passed. */
export function obstacleBefore(stage: "connect" | "secureConnect", socket: Socket, limit: Millis): Promise<string | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(end, limit, "ETIMEDOUT");
    socket.once(stage, () => end());
    // Stays for good: a failure after the end is nobody's concern.
    socket.on("error", (failure: NodeJS.ErrnoException) => end(failure.code ?? failure.message));
    socket.once("close", () => end("ECONNRESET"));

    function end(obstacle?: string): void {
      clearTimeout(timer);
      resolve(obstacle);
    }
  });
}
