import { buildCommand } from "../support/command.ts";
import { copyCommand } from "./command-copy.ts";

const ROOT = new URL("../../", import.meta.url).pathname;

/** Builds the command and copies it. */
export async function setup({ provide }: { provide: (key: "command", command: string) => void }): Promise<() => void> {
  await buildCommand();
  const { command, remove } = copyCommand(ROOT);
  provide("command", command);
  return remove;
}

declare module "vitest" {
  interface ProvidedContext {
    command: string;
  }
}
