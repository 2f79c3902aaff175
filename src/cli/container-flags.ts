import { basename } from "node:path";
import type { Files } from "../ports/files.ts";
import type { Variables } from "./config-file.ts";

/**
 * The flags that the container of Kredo's own image was started with (`docker run kredo --port 9000`), which no variable tells to
 * what else runs in there; none elsewhere, and none where its first process is another verb, or another program's.
 */
export function containerFlags(env: Variables, files: Files): readonly string[] {
  if (!env["KREDO_IMAGE"]) return [];
  // proc_pid_cmdline(5): each word ends with a null byte.
  const started = files.read("/proc/1/cmdline");
  const words = "text" in started ? started.text.split("\0").slice(0, -1) : [];
  // Before it may stand Node and an init; behind it stands what serve was told.
  const command = words.findIndex((word) => /^kredo(\.js)?$/.test(basename(word)));
  const [first, ...rest] = command === -1 ? [] : words.slice(command + 1);
  if (first === undefined) return [];
  if (first === "serve") return rest;
  return first.startsWith("-") ? [first, ...rest] : [];
}
