import type { ControlAnswer } from "../control-client/control-client.ts";
import { CliError } from "./cli-error.ts";
import type { Command, Flag, Help, ParsedArgs } from "./command.ts";
import type { Terminal } from "./terminal.ts";
import { clientFor, control, explainStranger, type Request, report } from "./client.ts";
import { valueAt } from "./json-view.ts";
import { CONTROL_FLAGS } from "./target.ts";

interface ControlCommand<Answer> extends Omit<Help, "docs"> {
  readonly docs?: string;
  readonly arguments?: readonly string[];
  readonly flags?: readonly Flag[];
  /** A field that every response contains. */
  readonly field?: string;
  readonly request: (args: ParsedArgs, terminal: Terminal) => Request;
  /** Describes the response for people; `--json` prints it as received. */
  readonly describe: (
    answer: Answer,
    args: ParsedArgs,
    context: { account: string; terminal: Terminal },
  ) => readonly string[];
}

/** A command that makes one request to the control API and prints its answer. */
export function controlCommand<Answer>({
  docs = "docs/quick-start.md",
  flags = [],
  field,
  request,
  describe,
  ...help
}: ControlCommand<Answer>): Command {
  return {
    ...help,
    docs,
    flags: [...flags, ...CONTROL_FLAGS],
    async run(args, terminal) {
      const asked = request(args, terminal);
      const client = await clientFor(args, terminal);
      const answer = await control(client, asked);
      const lines = client.isRaw
        ? []
        : describe(readAnswer(answer, client.target.url, field), args, { account: client.target.account, terminal });
      report(client, answer, lines);
      return 0;
    },
  };
}

/** The control API's schemas guarantee the shape. A response without the field comes from another program. */
function readAnswer(answer: ControlAnswer, url: string, field: string | undefined): ReturnType<typeof JSON.parse> {
  if (field !== undefined && valueAt(answer.json, field) === undefined)
    throw new CliError(3, explainStranger(url, answer));
  return answer.json;
}
