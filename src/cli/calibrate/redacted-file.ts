import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { resolve } from "node:path";
import type { ObservedExchange } from "../../gateway/settings/observed-exchange.ts";
import { invalidInput, refuseToWrite } from "../cli-error.ts";

/** A file of redacted exchanges, one on each line. */
interface RedactedFile {
  add(exchange: ObservedExchange): Promise<void>;
  close(): Promise<void>;
}

/** Opens the file that --redacted names, unless it is one of those that are read. */
export async function redactedFile(
  path: string | undefined,
  read: readonly string[],
): Promise<RedactedFile | undefined> {
  if (path === undefined) return undefined;
  if (read.some((one) => resolve(one) === resolve(path)))
    throw invalidInput("--redacted", { problem: `${path} is one of the files to read`, repair: "choose another file" });
  const stream = createWriteStream(path);
  await once(stream, "open").catch((error: unknown) => refuseToWrite({ path, place: "--redacted" }, error));
  return {
    add: async (exchange) => {
      if (!stream.write(`${JSON.stringify(exchange)}\n`)) await once(stream, "drain");
    },
    close: async () => {
      stream.end();
      await once(stream, "close");
    },
  };
}
