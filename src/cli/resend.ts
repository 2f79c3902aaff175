import { clientFor, control, report } from "./client.ts";
import type { ExitCode } from "./halt.ts";
import { expectWords } from "./read-said.ts";
import { CONTROL_FLAGS } from "./target.ts";
import type { Terminal } from "./terminal.ts";
import type { Said, Verb } from "./verb.ts";

const USAGE = "resend REQUEST_ID";

export const resend: Verb = {
  usage: [`${USAGE} [flags]`],
  about: "Delivers the callback of a settled transaction again, byte for byte.",
  flags: CONTROL_FLAGS,
  run: deliverAgain,
};

async function deliverAgain(said: Said, terminal: Terminal): Promise<ExitCode> {
  const [requestId] = expectWords(said.words, ["REQUEST_ID"], USAGE);
  const client = await clientFor(said, terminal);
  const answer = await control(client, { method: "POST", path: `/transactions/${encodeURIComponent(requestId)}/resend` });
  report(client, answer, [`The callback of ${requestId} goes out again.`]);
  return 0;
}
