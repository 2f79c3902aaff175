import { Command as Parser } from "commander";
import type { ParsedArgs } from "../../src/cli/terminal/command.ts";
import { command as serve } from "../../src/cli/commands/serve.ts";
import { describeCommand } from "../../src/cli/terminal/parser.ts";
import * as options from "../../src/cli/serve/serve-options.ts";

/** What `kredo serve` makes of a command line, an environment and files. */
export function readServeOptions(argv: readonly string[], ...[env, files]: Tail): Promise<options.ServeOptions> {
  return options.readServeOptions(parseArgs(argv), env, files);
}

type Tail = Parameters<typeof options.readServeOptions> extends [unknown, ...infer Rest] ? Rest : never;

function parseArgs(argv: readonly string[]): ParsedArgs {
  const parser = new Parser("kredo").configureOutput({ writeErr: () => {} });
  let parsed: ParsedArgs = { words: [], flags: new Map(), repeated: new Map() };
  describeCommand(parser.command("serve"), serve, async (_, args) => {
    parsed = args;
  });
  parser.parse(["serve", ...argv], { from: "user" });
  return parsed;
}
