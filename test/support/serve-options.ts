import { serve } from "../../src/cli/commands/serve.ts";
import { parseArgs } from "../../src/cli/parser.ts";
import * as options from "../../src/cli/serve/serve-options.ts";

/** What `kredo serve` makes of a command line, an environment and files. */
export function readServeOptions(argv: readonly string[], ...[env, files]: Tail): options.ServeOptions {
  return options.readServeOptions(parseArgs(serve, argv), env, files);
}

type Tail = Parameters<typeof options.readServeOptions> extends [unknown, ...infer Rest] ? Rest : never;
