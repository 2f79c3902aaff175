import { resolveGateway } from "../config/resolve-gateway.ts";
import { closestWord } from "../document/closest-word.ts";
import { quote } from "../document/describe-value.ts";
import { splitSms } from "../domain/sms-parts.ts";
import type { GatewaySettings } from "../domain/settings.ts";
import { readConfigFile } from "./config-file.ts";
import { describeSms, smsAsJson } from "./describe-sms.ts";
import { type ExitCode, Halt } from "./halt.ts";
import { expectWords } from "./read-said.ts";
import { JSON_FLAG } from "./target.ts";
import { printLines, type Terminal } from "./terminal.ts";
import type { Said, Verb } from "./verb.ts";

const USAGE = "preview sms TEXT";

export const preview: Verb = {
  usage: [`${USAGE} [flags]`],
  about: "Says how an SMS is encoded, split and priced, and what makes it dear. Needs no sandbox. A TEXT of - is read from standard input.",
  flags: [
    { name: "parts", about: "prints the text of each part" },
    {
      name: "config",
      value: "FILE",
      about: "whose prices and settings hold; found as serve finds it if not said",
      variables: ["KREDO_CONFIG"],
    },
    { ...JSON_FLAG, about: "prints it as JSON" },
  ],
  run: previewSms,
};

async function previewSms(said: Said, terminal: Terminal): Promise<ExitCode> {
  const message = await readMessage(said, terminal);
  const gateway = readGateway(said, terminal);
  const sms = splitSms(message, gateway.ucs2Concatenated);
  const isTooLong = sms.parts > gateway.maxSmsParts;
  const lines = said.flags.has("json")
    ? [JSON.stringify(smsAsJson(message, sms, gateway))]
    : describeSms(message, gateway, { withParts: said.flags.has("parts") });
  printLines(terminal.stdout, lines);
  if (isTooLong) throw new Halt(1, `The gateway refuses it: ${sms.parts} parts are more than max_sms_parts, ${gateway.maxSmsParts}.`);
  return 0;
}

async function readMessage(said: Said, terminal: Terminal): Promise<string> {
  const [operation, ...words] = said.words;
  if (operation !== "sms") throw new Halt(2, explainOperation(operation));
  const [text] = expectWords(words, ["TEXT"], USAGE);
  const message = text === "-" ? (await terminal.readStdin()).replace(/\r?\n$/, "") : text;
  if (message === "") throw new Halt(2, "TEXT is empty; the gateway refuses an SMS that says nothing");
  return message;
}

function explainOperation(written: string | undefined): string {
  if (written === undefined) return `what to preview is missing; write kredo ${USAGE}`;
  const meant = closestWord(written, ["sms"]);
  return `${quote(written)} cannot be previewed; ${meant === undefined ? `write kredo ${USAGE}` : `did you mean "${meant}"?`}`;
}

function readGateway({ flags }: Said, { env, files, stderr }: Terminal): GatewaySettings {
  const { config, problems, warnings } = readConfigFile(flags.get("config"), env, files);
  printLines(
    stderr,
    warnings.map((warning) => `warning: ${warning}`),
  );
  if (problems.length > 0) throw new Halt(2, problems.join("\n"));
  return resolveGateway(config);
}
